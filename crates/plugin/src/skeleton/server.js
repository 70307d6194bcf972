// Runs in a process of its own, without files, network or clock. `padsvc` is all there is: its functions
// return promises, and work if plugin.json asks for the permission and an operator has granted it.

const { word, replacement, counts } = padsvc.settings;

// Called when somebody sends a chat message. Return nothing to leave it as it is, {text} to change it,
// {refuse: reason} to refuse it.
padsvc.on("chatMessage", async ({ text }) => {
  if (word === "" || !text.includes(word)) return;
  if (text.length > 5000) return { refuse: padsvc.text("tooLong") };
  if (counts) {
    const count = (await padsvc.storage.get("count")) ?? 0;
    await padsvc.storage.set("count", count + 1);
  }
  return { text: text.replaceAll(word, replacement) };
});
