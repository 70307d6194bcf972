// The folder of a plugin as a form: a field for each file, named by its path in the folder. The server
// makes the package of it.

// As the server has them; a larger folder is some other one, and not worth the way.
const FILES = 200;
const BYTES = 8 * 1024 * 1024;

interface Chosen extends Blob {
  // Begins with the name of the folder.
  readonly webkitRelativePath: string;
}

// `null` if no plugin is so large.
export async function folderForm(files: Iterable<Chosen>): Promise<FormData | null> {
  const found = [...files]
    .map((file) => ({ file, path: file.webkitRelativePath.split('/').slice(1) }))
    .filter(({ path }) => !path.some((name) => name.startsWith('.')));
  const bytes = found.reduce((sum, { file }) => sum + file.size, 0);
  if (found.length > FILES || bytes > BYTES) return null;
  const form = new FormData();
  for (const { file, path } of found) {
    // What is shown is what is installed, also if a file changes on the disk meanwhile.
    form.append(path.join('/'), new Blob([await file.arrayBuffer()]));
  }
  return form;
}
