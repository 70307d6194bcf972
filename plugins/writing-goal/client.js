// How far the pad is from its goal, below the text, and a panel where the goal is set.

import { definePlugin, element } from "padsvc";

const MOST = 1_000_000;

export default definePlugin((page) => {
  let goal = page.vars?.goal ?? 0;
  // Whether that is worth a word: nobody wants to hear of what was there before.
  let isReached = goal > 0 && page.pad.words() >= goal;
  const shown = new Set();

  const number = (value) => new Intl.NumberFormat(page.language).format(value);
  const show = () => {
    for (const draw of shown) draw();
  };
  const showing = (draw) => {
    shown.add(draw);
    draw();
    return () => shown.delete(draw);
  };

  const panel = page.addPanel({ id: "goal", label: page.text("title"), render: renderPanel });
  page.addCommand({
    id: "goal",
    label: page.text("command"),
    sign: "◎",
    inMenu: true,
    forReaders: true,
    run: () => panel.open(),
  });
  page.addStatus({ id: "goal", render: renderStatus });
  page.pad.onChange(() => {
    const reachedNow = goal > 0 && page.pad.words() >= goal;
    if (reachedNow && !isReached) page.notify(page.text("reached", { count: goal }), "good");
    isReached = reachedNow;
    show();
  });
  // The page may have come before the service's answer, and somebody may have set another goal meanwhile.
  refresh();

  async function refresh() {
    const answer = await page.send({}).catch(() => null);
    if (answer !== null) setGoal(answer.goal);
  }

  function setGoal(words) {
    goal = words;
    isReached = goal > 0 && page.pad.words() >= goal;
    show();
  }

  function meter() {
    const bar = element("progress", { class: "goal-bar", max: 1, "aria-label": page.text("progress") });
    bar.value = Math.min(1, page.pad.words() / goal);
    return bar;
  }

  function progressText() {
    return page.text("of", { words: number(page.pad.words()), goal: number(goal) });
  }

  function renderStatus(place) {
    return showing(() => {
      place.replaceChildren();
      if (goal === 0) return;
      const text = progressText();
      const open = element("button", { type: "button", class: "goal-status", "aria-label": page.text("open", { progress: text }) }, [meter(), text]);
      open.addEventListener("click", () => panel.open());
      place.append(open);
    });
  }

  function renderPanel(place) {
    const progress = element("div", { class: "goal-progress" });
    const message = element("p", { class: "goal-message", role: "status" });
    const parts = [progress];
    if (!page.pad.readOnly) parts.push(form(message), message);
    place.replaceChildren(element("div", { class: "goal-panel" }, parts));
    refresh();
    return showing(() => {
      if (goal === 0) progress.replaceChildren(element("p", {}, page.text("none")));
      else progress.replaceChildren(element("p", {}, progressText()), meter());
    });
  }

  function form(message) {
    const field = element("input", { type: "number", class: "input", id: "writing-goal-words", min: 1, max: MOST, step: 1, required: true, inputmode: "numeric" });
    field.value = goal > 0 ? `${goal}` : "";
    const remove = element("button", { type: "button", class: "button" }, page.text("remove"));
    const form = element("form", { class: "goal-form" }, [
      element("div", { class: "field" }, [
        element("label", { for: "writing-goal-words" }, page.text("label")),
        field,
      ]),
      element("div", { class: "goal-buttons" }, [
        element("button", { type: "submit", class: "button primary" }, page.text("set")),
        remove,
      ]),
    ]);
    const save = async (words) => {
      try {
        const answer = await page.send({ goal: words });
        setGoal(answer.goal);
        message.textContent = page.text(words === 0 ? "removed" : "saved");
      } catch {
        message.textContent = page.text("failed");
      }
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      save(field.valueAsNumber);
    });
    remove.addEventListener("click", () => {
      field.value = "";
      save(0);
    });
    return form;
  }
});
