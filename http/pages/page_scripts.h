#pragma once
// What runs in our own pages. The text never changes; what it works with stands in attributes of the page.
#include <string_view>

namespace slashpost::http {

// Leads on from the page: to the app of `data-app` on the link with the id "go", else to that link's address.
// An app that opens hides the page; if it is still to be seen after a moment there is no such app.
inline constexpr std::string_view leave_script = R"(
var go = document.getElementById('go'), to = go.getAttribute('href'), app = go.getAttribute('data-app'), left = false;
function leave() {
  if (left) return;
  left = true;
  if (!app) return location.replace(to);
  location.href = app;
  setTimeout(function () { if (!document.hidden) location.replace(to); }, 1500);
}
)";

// Starts the scripts of all elements with `data-uri` or `data-text`, in their order. A text that begins with
// "<" is HTML, any other JavaScript. Scripts that HTML brings along do not run by themselves: each is made
// anew with the nonce of this one. A script from elsewhere that is neither async nor defer is waited for, as
// in any page.
inline constexpr std::string_view run_script = R"(
var here = document.currentScript, nonce = here.nonce || here.getAttribute('nonce');
var box = document.createElement('div'), scripts = [], started = false, loaded = false;
function ready() { if (started && loaded) setTimeout(leave, 100); }
function start() {
  var old = scripts.shift();
  if (!old) { started = true; return ready(); }
  var script = document.createElement('script'), waits = false;
  for (var i = 0; i < old.attributes.length; ++i)
    if (old.attributes[i].name !== 'nonce') script.setAttribute(old.attributes[i].name, old.attributes[i].value);
  script.nonce = nonce;
  script.text = old.textContent;
  if (script.hasAttribute('src')) {
    script.async = old.hasAttribute('async');
    waits = !script.async && !old.hasAttribute('defer');
  }
  if (waits) script.onload = script.onerror = start;
  if (old.parentNode) old.parentNode.replaceChild(script, old); else box.appendChild(script);
  if (!waits) start();
}
function add(uri, text) {
  var one = box.appendChild(document.createElement('i'));
  if (uri) one.setAttribute('src', uri);
  one.textContent = text;
  scripts.push(one);
}
function addMarkup(text) {
  var template = document.createElement('template'), part = box.appendChild(document.createElement('div'));
  template.innerHTML = text;
  template.content.querySelectorAll('noscript').forEach(function (one) { one.remove(); });
  part.appendChild(document.importNode(template.content, true));
  part.querySelectorAll('script').forEach(function (one) { scripts.push(one); });
}
addEventListener('load', function () { loaded = true; ready(); });
setTimeout(leave, 2000);
document.querySelectorAll('[data-uri],[data-text]').forEach(function (one) {
  var uri = one.getAttribute('data-uri'), text = one.getAttribute('data-text');
  if (uri) add(uri, '');
  if (text && /^\s*</.test(text)) addMarkup(text);
  else if (text) add('', text);
});
box.hidden = true;
document.body.appendChild(box);
start();
)";

} // namespace slashpost::http
