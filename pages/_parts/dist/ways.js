// Made by `npm run build`: change the sources and build again.
function one(root,selector){let found=root.querySelector(selector);if(!(found instanceof HTMLElement))throw new Error(`T\
here is no ${selector}.`);return found}function addressOf(way){let base=location.pathname.replace(/[^/]*$/,"");return`${location.origin}${base}${way.path}?${way.
query}`}function mount({parentElement,data,setTriggerValue}){one(parentElement,".hm-ways").replaceChildren(...data.ways.
map(way=>{let item=document.createElement("li"),link=document.createElement("a");if(link.href=addressOf(way),link.textContent=
way.title,link.addEventListener("click",e=>{e.button||e.ctrlKey||e.metaKey||e.shiftKey||e.altKey||(e.preventDefault(),setTriggerValue(
"chosen",way.name))}),item.append(link),way.remark){let words=document.createElement("p");words.textContent=way.remark,item.
append(words)}return item}))}export{addressOf,mount as default};
