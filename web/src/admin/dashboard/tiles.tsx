// Numbers side by side, each with its name.

export function Tiles({
  tiles,
  settled,
}: {
  tiles: readonly [string, string][];
  settled?: boolean;
}) {
  return (
    <dl class="tiles" data-settled={settled}>
      {tiles.map(([name, value]) => (
        <div key={name} class="tile">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
