// The panel "Statistics": a bar for each author, in the colour that the author has in the text.
//
// A table, because that is what it is: screen readers read names and numbers, and the bars are only for eyes.

import { definePlugin, element } from "padsvc";

export default definePlugin((page) => {
  const panel = page.addPanel({ id: "statistics", label: page.text("title"), render });
  page.addCommand({
    id: "statistics",
    label: page.text("title"),
    sign: "%",
    inMenu: true,
    forReaders: true,
    run: () => panel.open(),
  });

  function render(place) {
    let asked = 0;
    const refresh = async () => {
      asked += 1;
      const current = asked;
      const answer = await page.send({}).catch(() => null);
      // Answers may come in another order.
      if (current === asked) place.replaceChildren(answer === null ? failure() : chart(answer));
    };
    place.replaceChildren(element("p", { class: "statistics-note" }, page.text("counting")));
    refresh();
    return page.pad.onChange(refresh);
  }

  function failure() {
    return element("p", { class: "statistics-note", role: "status" }, page.text("failed"));
  }

  function chart({ authors, others, characters }) {
    if (characters === 0) return element("p", { class: "statistics-note" }, page.text("empty"));
    const rows = authors.map((author) => row(nameOf(author), author.characters, characters, page.pad.author(author.authorId).colour));
    if (others.count > 0) {
      rows.push(row(page.text("others", { count: others.count }), others.characters, characters, null));
    }
    return element("table", { class: "statistics" }, [
      element("caption", {}, page.text("caption", { count: characters })),
      element("thead", {}, [
        element("tr", {}, [
          element("th", { scope: "col" }, page.text("column.name")),
          element("th", { scope: "col" }, page.text("column.share")),
          element("th", { scope: "col" }, page.text("column.characters")),
        ]),
      ]),
      element("tbody", {}, rows),
    ]);
  }

  function nameOf({ authorId, name }) {
    const shown = name ?? page.pad.author(authorId).shownName;
    return authorId === page.pad.authorId ? page.text("you", { name: shown }) : shown;
  }

  function row(name, count, total, colour) {
    const bar = element("span", { class: "statistics-bar", "aria-hidden": "true" });
    bar.style.setProperty("--share", `${count / total}`);
    if (colour !== null) bar.style.setProperty("--author", colour);
    const share = new Intl.NumberFormat(page.language, { style: "percent" }).format(count / total);
    return element("tr", {}, [
      element("th", { scope: "row" }, [element("bdi", {}, name), bar]),
      element("td", {}, share),
      element("td", {}, new Intl.NumberFormat(page.language).format(count)),
    ]);
  }
});
