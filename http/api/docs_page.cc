#include "http/api/docs_page.h"

#include "core/base/ascii.h"
#include "core/base/base64.h"
#include "core/base/html.h"
#include "core/base/secret.h"
#include "http/api/docs_fields.h"
#include "http/api/docs_script.h"
#include "http/api/docs_style.h"
#include "http/api/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace slashpost::api {

namespace json = boost::json;

namespace {

// One line per value.
void append_pretty(std::string& out, const json::value& value, std::size_t indent) {
    const std::string inner(indent + 2, ' ');
    std::string separator = "\n" + inner;
    if (const auto* object = value.if_object(); object != nullptr && !object->empty()) {
        out += '{';
        for (const auto& [key, item] : *object) {
            out += separator + json::serialize(json::string(key)) + ": ";
            append_pretty(out, item, indent + 2);
            separator = ",\n" + inner;
        }
        out += "\n" + std::string(indent, ' ') + "}";
    } else if (const auto* array = value.if_array(); array != nullptr && !array->empty()) {
        out += '[';
        for (const auto& item : *array) {
            out += separator;
            append_pretty(out, item, indent + 2);
            separator = ",\n" + inner;
        }
        out += "\n" + std::string(indent, ' ') + "]";
    } else {
        out += json::serialize(value);
    }
}

std::string pretty(const json::value& value) {
    std::string out;
    append_pretty(out, value, 0);
    return out;
}

// "get" -> "GET"
std::string upper(std::string_view method) {
    std::string out(method);
    std::ranges::transform(out, out.begin(), ascii::upper);
    return out;
}

std::string badge(std::string_view method) {
    return fmt::format("<span class=\"m {}\">{}</span>", method, upper(method));
}

// A path that goes on behind a slash where a line is too short for it.
std::string breakable(std::string_view path) {
    std::string out;
    for (const char c : html_text(path))
        out += c == '/' ? std::string("/<wbr>") : std::string(1, c);
    return out;
}

std::string shell_quoted(std::string_view text) {
    std::string out;
    for (const char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out;
}

// A line that calls the operation, with its example.
std::string curl_line(std::string_view method, std::string_view path, const json::object& operation) {
    std::string target(path);
    for (auto at = target.find('{'); at != std::string::npos; at = target.find('{', at)) {
        const auto end = target.find('}', at);
        target.replace(at, end + 1 - at, sample_text(target.substr(at + 1, end - at - 1)));
    }
    const auto* body = docs_object(operation, "requestBody");
    std::string line = "curl";
    if (method != (body != nullptr ? "post" : "get"))
        line += " -X " + upper(method);
    if (operation.contains("x-requires"))
        line += " -H 'apikey: YOUR_KEY'";
    if (body != nullptr)
        line += fmt::format(
            " -H 'Content-Type: application/json' \\\n  -d '{}' \\\n ",
            shell_quoted(json::serialize(body->at("content").at("application/json").at("example"))));
    return fmt::format("{} 'https://HOST/v1{}'", line, target);
}

// Writes the page from the document that it is given.
class Page {
  public:
    Page(const json::object& document, std::string_view program)
        : document_(document),
          components_(document.at("components").as_object()),
          schemas_(components_.at("schemas").as_object()),
          program_(program) {}

    std::string whole() {
        out_ = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
               "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
               "<title>Slashpost API</title>\n<style>";
        out_ += docs_style;
        out_ += "</style></head><body>\n<a class=\"skip\" href=\"#main\">To the reference</a>\n"
                "<header class=\"bar\"><a href=\"#main\">Slashpost API</a>"
                "<form id=\"search\" role=\"search\" hidden><input type=\"search\" placeholder=\"Search  /\" "
                "aria-label=\"Search\" autocomplete=\"off\" spellcheck=\"false\">"
                "<output aria-live=\"polite\"></output></form></header>\n";
        contents();
        out_ += "<script>";
        out_ += docs_script;
        out_ += "</script>\n<main id=\"main\">\n";
        introduction();
        each_tag([&](std::string_view tag, std::string_view meaning) {
            out_ += fmt::format("<div class=\"part\"><h2 id=\"tag-{0}\">{0}</h2><p class=\"soft\">{1}</p>\n",
                                html_text(tag), html_text(meaning));
            each_operation(tag, [&](std::string_view method, std::string_view path,
                                    const json::object& operation) { section(method, path, operation); });
            out_ += "</div>\n";
        });
        shapes();
        out_ += "</main></body></html>\n";
        return std::move(out_);
    }

  private:
    template <class Use>
    void each_tag(Use use) const {
        for (const auto& tag : document_.at("tags").as_array())
            use(docs_text(tag.as_object(), "name"), docs_text(tag.as_object(), "description"));
    }

    template <class Use>
    void each_operation(std::string_view tag, Use use) const {
        for (const auto& [path, operations] : document_.at("paths").as_object())
            for (const auto& [method, operation] : operations.as_object())
                if (operation.at("tags").at(0).as_string() == tag)
                    use(method, path, operation.as_object());
    }

    // Folded, so that it takes one line of a telephone; the script unfolds it where there is room.
    void contents() {
        out_ += "<nav aria-label=\"Contents\"><details id=\"contents\"><summary>Contents</summary>\n"
                "<p><a href=\"#main\">How to call it</a><a href=\"/v1/openapi.json\">openapi.json</a></p>\n";
        each_tag([&](std::string_view tag, std::string_view) {
            out_ += fmt::format("<details><summary>{}</summary><ul>\n", html_text(tag));
            each_operation(
                tag, [&](std::string_view method, std::string_view path, const json::object& operation) {
                    out_ += fmt::format("<li><a href=\"#{}\">{}<span>{}</span></a></li>\n",
                                        html_text(docs_text(operation, "operationId")), badge(method),
                                        breakable(path));
                });
            out_ += "</ul></details>\n";
        });
        out_ += "<details><summary>Shapes</summary><ul>\n";
        for (const auto& [name, schema] : schemas_)
            out_ += fmt::format("<li><a href=\"#shape-{0}\">{0}</a></li>\n", html_text(name));
        out_ += "</ul></details>\n</details></nav>\n";
    }

    void introduction() {
        const auto& info = document_.at("info").as_object();
        out_ += fmt::format(
            "<div class=\"part\"><h1>Slashpost API</h1>\n<p class=\"soft\">Interface {}, served by {}.</p>"
            "<p>{}</p>\n",
            html_text(docs_text(info, "version")), html_text(program_),
            html_text(docs_text(info, "description")));
        out_ += "<section id=\"calls\"><h3>A call</h3>\n"
                "<pre>curl -H 'apikey: YOUR_KEY' https://HOST/v1/account</pre>\n"
                "<p>The key travels in the header <code>apikey</code>, the workspace in the header "
                "<code>Workspace</code>; without that it is the caller's default one. Bodies are JSON.</p>\n"
                "</section>\n<section id=\"headers\"><h3>Every answer carries</h3>\n<dl>\n";
        for (const auto& [name, header] : components_.at("headers").as_object())
            out_ += docs_field({.name = name,
                                .schema = header.at("schema").as_object(),
                                .meaning = docs_text(header.as_object(), "description")});
        out_ += "</dl></section>\n";
        errors();
        out_ += "</div>\n";
    }

    void errors() {
        const auto& responses = components_.at("responses").as_object();
        const auto samples_of = [](const json::value& response) -> const json::object& {
            return response.at("content").at("application/json").at("examples").as_object();
        };
        out_ += "<section id=\"errors\"><h3>Errors</h3><p>All have one shape; a 403 names every broken "
                "field.</p>\n"
                "<pre>" +
                html_text(pretty(samples_of(responses.at("Forbidden")).begin()->value().at("value"))) +
                "</pre>\n<dl>\n";
        for (const auto& [name, response] : responses)
            out_ +=
                fmt::format("<div><dt><code>{}</code></dt><dd><p>{}</p></dd></div>\n",
                            json::serialize(samples_of(response).begin()->value().at("value").at("httpCode")),
                            html_text(docs_text(response.as_object(), "description")));
        out_ += "</dl></section>\n";
    }

    void section(std::string_view method, std::string_view path, const json::object& operation) {
        out_ += fmt::format("<section id=\"{0}\"><h3><a href=\"#{0}\">{1}<code>/v1{2}</code></a></h3>\n"
                            "<p>{3}</p>\n",
                            html_text(docs_text(operation, "operationId")), badge(method), html_text(path),
                            html_text(docs_text(operation, "summary")));
        needs(operation);
        out_ += "<div class=\"two\"><div>\n";
        for (const auto& [in, title] : places)
            parameters(operation, in, title);
        body(operation);
        codes(operation);
        out_ += "</div><div>\n<h4>For example</h4><pre>" + html_text(curl_line(method, path, operation)) +
                "</pre>\n";
        answer(operation);
        out_ += "</div></div></section>\n";
    }

    void needs(const json::object& operation) {
        const auto* requires_all = docs_object(operation, "x-requires");
        out_ += "<ul class=\"needs\">";
        if (requires_all == nullptr)
            out_ += "<li>no key</li>";
        else
            for (const auto& [name, value] : *requires_all) {
                std::string words;
                if (const auto* several = value.if_array()) {
                    for (const auto& one : *several)
                        words += (words.empty() ? "" : " or ") + std::string(one.as_string());
                } else {
                    words = value.as_string();
                }
                out_ += fmt::format("<li>{}: {}</li>", html_text(name), html_text(words));
            }
        out_ += "</ul>\n";
    }

    // Looks through a reference to what it refers to.
    const json::object& resolved(const json::value& node) const {
        const auto& object = node.as_object();
        const auto target = docs_text(object, "$ref");
        if (target.empty())
            return object;
        const auto name = target.substr(target.rfind('/') + 1);
        const auto kind = target.substr(0, target.rfind('/'));
        return components_.at(kind.substr(kind.rfind('/') + 1)).at(name).as_object();
    }

    // Those that travel there.
    void parameters(const json::object& operation, std::string_view in, std::string_view title) {
        const auto* list = operation.if_contains("parameters");
        if (list == nullptr)
            return;
        std::string fields;
        for (const auto& node : list->as_array()) {
            const auto& parameter = resolved(node);
            if (docs_text(parameter, "in") != in)
                continue;
            const auto* required = parameter.if_contains("required");
            fields += docs_field({.name = docs_text(parameter, "name"),
                                  .required = required != nullptr && required->as_bool(),
                                  .schema = parameter.at("schema").as_object(),
                                  .meaning = docs_text(parameter, "description"),
                                  .example = docs_text(parameter, "example")});
        }
        if (!fields.empty())
            out_ += fmt::format("<h4>{}</h4><dl>\n{}</dl>\n", title, fields);
    }

    void body(const json::object& operation) {
        const auto* body = docs_object(operation, "requestBody");
        if (body == nullptr)
            return;
        const auto& content = body->at("content").as_object();
        const auto& schema = content.at("application/json").at("schema").as_object();
        out_ += fmt::format("<h4>Body</h4><p class=\"soft\">{}: {}</p>{}\n",
                            content.size() > 1 ? "JSON or a form" : "JSON", docs_kind(schema),
                            docs_body(schema, schemas_));
    }

    void codes(const json::object& operation) {
        const auto* codes = docs_object(operation, "x-error-codes");
        if (codes == nullptr)
            return;
        out_ += "<h4>Errors</h4><dl>\n";
        for (const auto& [status, names] : *codes) {
            std::string words;
            for (const auto& name : names.as_array())
                words += (words.empty() ? "" : ", ") + std::string(name.as_string());
            out_ += fmt::format("<div><dt><code>{}</code></dt><dd><p class=\"soft\">{}</p></dd></div>\n",
                                html_text(status), html_text(words));
        }
        out_ += "</dl>\n";
    }

    void answer(const json::object& operation) {
        const auto& responses = operation.at("responses").as_object();
        const auto& content = *responses.at("200").at("content").as_object().begin();
        out_ +=
            fmt::format("<h4>Answer</h4><p>{}</p>\n", docs_kind(content.value().at("schema").as_object()));
        if (const auto* example = content.value().as_object().if_contains("example"))
            out_ += "<details><summary class=\"soft\">an example</summary><pre>" +
                    html_text(pretty(*example)) + "</pre></details>\n";
    }

    void shapes() {
        out_ += "<div class=\"part\"><h2 id=\"shapes\">Shapes</h2>\n"
                "<p class=\"soft\">What bodies and answers are made of.</p>\n";
        for (const auto& [name, schema] : schemas_) {
            const auto members = docs_members(schema.as_object());
            out_ +=
                fmt::format("<section id=\"shape-{0}\"><h3><a href=\"#shape-{0}\">{0}</a></h3>\n{1}"
                            "</section>\n",
                            html_text(name),
                            members.empty() ? "<p class=\"soft\">An object without members.</p>" : members);
        }
        out_ += "</div>\n";
    }

    static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> places{
        {{"path", "Path"}, {"query", "Query"}, {"header", "Header"}}};
    const json::object& document_;
    const json::object& components_;
    const json::object& schemas_;
    const std::string_view program_;
    std::string out_;
};

} // namespace

std::string docs_page(const json::object& document, std::string_view program) {
    return Page(document, program).whole();
}

std::string docs_policy() {
    return fmt::format("default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; "
                       "form-action 'none'; frame-ancestors 'none'",
                       base64(sha256(docs_style)), base64(sha256(docs_script)));
}

} // namespace slashpost::api
