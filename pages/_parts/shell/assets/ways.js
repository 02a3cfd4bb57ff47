// Links to other pages. A plain click stays in this session, for which the server changes
// the page; with Ctrl, with the middle button or from its menu it is a link like any other.

// All pages stand side by side: the address up to its last slash is the app's own.
export function addressOf(way) {
  const base = location.pathname.replace(/[^/]*$/, "");
  return `${location.origin}${base}${way.path}?${way.query}`;
}

export default function mount({ parentElement, data, setTriggerValue }) {
  const list = parentElement.querySelector(".hm-ways");
  list.replaceChildren(...data.ways.map((way) => {
    const item = document.createElement("li"), link = document.createElement("a");
    link.href = addressOf(way);
    link.textContent = way.title;
    link.addEventListener("click", (e) => {
      if (e.button || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
      e.preventDefault();
      setTriggerValue("chosen", way.name);
    });
    item.append(link);
    if (way.remark) {
      const words = document.createElement("p");
      words.textContent = way.remark;
      item.append(words);
    }
    return item;
  }));
}
