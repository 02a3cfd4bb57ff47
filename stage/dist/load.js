// Made by `npm run build`: change the sources and build again.
var shared=globalThis,code=shared["halfmoon-VERSION"]??Promise.withResolvers();shared["halfmoon-VERSION"]=code;function mount(component){let unmount=()=>{},gone=!1;return code.promise.then(begin=>{gone||(unmount=begin(component))}),
()=>{gone=!0,unmount()}}export{mount as default};
