#pragma once
// What the reference page does in a browser that runs scripts: it searches, and opens the contents where
// there is room for them. Without it the page is complete. Part of docs_page.cc.
#include <string_view>

namespace slashpost::api {

inline constexpr std::string_view docs_script = R"js((() => {
  'use strict';
  const contents = document.getElementById('contents');
  const wide = matchMedia('(min-width:62rem)');
  const unfold = () => {
    for (const part of [contents, ...contents.querySelectorAll('details')])
      part.open = wide.matches;
  };
  unfold();
  wide.addEventListener('change', unfold);
  contents.addEventListener('click', event => {
    if (event.target.closest('a') && !wide.matches)
      contents.open = false;
  });

  document.addEventListener('DOMContentLoaded', () => {
    const form = document.getElementById('search');
    const field = form.querySelector('input');
    const found = form.querySelector('output');
    const parts = [...document.querySelectorAll('.part')];
    const groups = [...contents.querySelectorAll('details')];
    const entries = [...document.querySelectorAll('.part>section')].map(section => ({
      section,
      text: section.textContent.toLowerCase(),
      line: contents.querySelector(`li>a[href="#${section.id}"]`)?.parentElement,
    }));

    const search = () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(word => word);
      let count = 0;
      for (const {section, text, line} of entries) {
        section.hidden = !words.every(word => text.includes(word));
        count += !section.hidden;
        if (line)
          line.hidden = section.hidden;
      }
      for (const part of parts)
        part.hidden = words.length > 0 && !part.querySelector('section:not([hidden])');
      for (const group of groups)
        group.hidden = words.length > 0 && !group.querySelector('li:not([hidden])');
      found.value = words.length === 0 ? '' : count === 0 ? 'Nothing found' : `${count} found`;
    };
    const clear = () => {
      field.value = '';
      search();
    };

    field.addEventListener('input', () => {
      search();
      scrollTo(0, 0);
    });
    form.addEventListener('submit', event => {
      event.preventDefault();
      field.blur();
    });
    document.addEventListener('keydown', event => {
      const typing = event.target.matches('input,textarea,select');
      if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        field.select();
      } else if (event.key === 'Escape' && typing) {
        clear();
      }
    });
    // What an address or a link of the page names is shown, also when the search had hidden it.
    addEventListener('hashchange', () => {
      const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (named?.closest('[hidden]')) {
        clear();
        named.scrollIntoView();
      }
    });
    form.hidden = false;
    search();
  });
})();
)js";

} // namespace slashpost::api
