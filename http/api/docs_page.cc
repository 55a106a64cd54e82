#include "http/api/docs_page.h"

#include "core/base/html.h"
#include "core/base/secret.h"
#include "core/base/text.h"
#include "http/api/docs_style.h"
#include "http/api/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace slashpost::api {

namespace json = boost::json;

namespace {

std::string_view text_of(const json::value& value) { return value.as_string(); }

std::string_view text_at(const json::object& object, std::string_view key) {
    const auto* found = object.if_contains(key);
    return found != nullptr && found->is_string() ? text_of(*found) : std::string_view{};
}

const json::object* object_at(const json::object& object, std::string_view key) {
    const auto* found = object.if_contains(key);
    return found == nullptr ? nullptr : found->if_object();
}

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

std::string base64(std::string_view bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k)
            out += i + k <= bytes.size() ? digits[(group >> (18 - 6 * k)) & 63U] : '=';
    }
    return out;
}

// What a schema is, in a few words: a link to the shape, "array of ...", "string, 1 to 255 characters".
std::string kind_of(const json::object& schema) {
    if (const auto target = text_at(schema, "$ref"); !target.empty()) {
        const auto name = target.substr(target.rfind('/') + 1);
        return fmt::format("<a href=\"#shape-{0}\">{0}</a>", html_text(name));
    }
    if (const auto* either = schema.if_contains("anyOf")) {
        std::string out;
        for (const auto& one : either->as_array())
            out += (out.empty() ? "" : " or ") + kind_of(one.as_object());
        return out;
    }
    if (const auto* items = object_at(schema, "items"))
        return "array of " + kind_of(*items);
    std::string out;
    if (const auto* types = schema.if_contains("type"); types != nullptr && types->is_array()) {
        for (const auto& one : types->as_array())
            out += (out.empty() ? "" : " or ") + std::string(text_of(one));
    } else {
        out = text_at(schema, "type");
    }
    if (const auto format = text_at(schema, "format"); !format.empty())
        out += fmt::format(", {}", format);
    return html_text(out);
}

// Its bounds and words.
std::string bounds_of(const json::object& schema) {
    std::string out;
    const auto add = [&](std::string_view key, std::string_view before, std::string_view behind) {
        if (const auto* bound = schema.if_contains(key))
            out += fmt::format("{}{} {}{}", out.empty() ? "" : ", ", before, json::serialize(*bound), behind);
    };
    add("minLength", "at least", " characters");
    add("maxLength", "at most", " characters");
    add("minimum", "at least", "");
    add("maximum", "at most", "");
    add("maxItems", "at most", " items");
    if (const auto* words = schema.if_contains("enum"))
        for (const auto& word : words->as_array())
            out += fmt::format("{}{}", out.empty() ? "one of " : ", ", text_of(word));
    if (const auto pattern = text_at(schema, "pattern"); !pattern.empty())
        out += fmt::format("{}{}", out.empty() ? "" : ", ", pattern);
    return html_text(out);
}

std::string row(std::string_view name, bool required, const json::object& schema, std::string_view place,
                std::string_view description) {
    const auto bounds = bounds_of(schema);
    return fmt::format(
        "<tr><td><code>{}</code>{}</td><td>{}{}</td><td><p>{}</p>{}</td></tr>\n", html_text(name),
        required ? " <span class=\"must\">required</span>" : "", kind_of(schema),
        place.empty() ? "" : fmt::format(" <span class=\"soft\">in {}</span>", place), html_text(description),
        bounds.empty() ? "" : fmt::format("<p class=\"soft\">{}</p>", bounds));
}

constexpr std::string_view table_head =
    "<div class=\"wide\"><table><tr><th>Name</th><th>Type</th><th>Meaning</th></tr>\n";
constexpr std::string_view table_end = "</table></div>\n";

// Writes the page from the document that it is given.
class Page {
  public:
    explicit Page(const json::object& document)
        : document_(document),
          components_(document.at("components").as_object()) {}

    std::string whole() {
        out_ = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
               "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
               "<title>Slashpost API</title>\n<style>";
        out_ += docs_style;
        out_ += "</style></head><body>\n<a class=\"skip\" href=\"#main\">To the reference</a>\n";
        navigation();
        out_ += "<main id=\"main\">\n";
        introduction();
        each_tag([&](std::string_view tag, std::string_view description) {
            out_ += fmt::format("<h2 id=\"tag-{0}\">{0}</h2><p class=\"soft\">{1}</p>\n", html_text(tag),
                                html_text(description));
            each_operation(tag, [&](std::string_view method, std::string_view path,
                                    const json::object& operation) { section(method, path, operation); });
        });
        shapes();
        out_ += "</main></body></html>\n";
        return std::move(out_);
    }

  private:
    template <class Use>
    void each_tag(Use use) const {
        for (const auto& tag : document_.at("tags").as_array())
            use(text_of(tag.at("name")), text_of(tag.at("description")));
    }

    template <class Use>
    void each_operation(std::string_view tag, Use use) const {
        for (const auto& [path, operations] : document_.at("paths").as_object())
            for (const auto& [method, operation] : operations.as_object())
                if (text_of(operation.at("tags").at(0)) == tag)
                    use(method, path, operation.as_object());
    }

    void navigation() {
        out_ += "<nav><h1>Slashpost API</h1><p><a href=\"#main\">How to call it</a><br>"
                "<a href=\"#shapes\">Shapes</a><br><a href=\"/v1/openapi.json\">openapi.json</a></p>\n";
        each_tag([&](std::string_view tag, std::string_view) {
            out_ += fmt::format("<details open><summary>{}</summary><ul>\n", html_text(tag));
            each_operation(
                tag, [&](std::string_view method, std::string_view path, const json::object& operation) {
                    out_ += fmt::format("<li><a href=\"#{}\"><span class=\"m {}\">{}</span>{}</a></li>\n",
                                        html_text(text_at(operation, "operationId")), method, upper(method),
                                        html_text(path));
                });
            out_ += "</ul></details>\n";
        });
        out_ += "</nav>\n";
    }

    void introduction() {
        const auto& info = document_.at("info").as_object();
        out_ += fmt::format("<h1>Slashpost API</h1>\n<p>Version {}. {}</p>\n",
                            html_text(text_at(info, "version")), html_text(text_at(info, "description")));
        out_ += "<h4>A call</h4><pre>curl -H 'apikey: YOUR_KEY' https://HOST/v1/account</pre>\n"
                "<p>The key travels in the header <code>apikey</code>, the workspace in the header "
                "<code>Workspace</code>; without that it is the caller's default one. Bodies are JSON.</p>\n"
                "<h4>Every answer carries</h4>";
        out_ += table_head;
        for (const auto& [name, header] : components_.at("headers").as_object())
            out_ += row(name, false, header.at("schema").as_object(), "header",
                        text_of(header.at("description")));
        out_ += table_end;
        errors();
    }

    void errors() {
        const auto& responses = components_.at("responses").as_object();
        const auto samples_of = [](const json::value& response) -> const json::object& {
            return response.at("content").at("application/json").at("examples").as_object();
        };
        out_ += "<h4>Errors</h4><p>All have one shape; a 403 names every broken field.</p>\n<pre>" +
                html_text(pretty(samples_of(responses.at("Forbidden")).begin()->value().at("value"))) +
                "</pre>\n<div class=\"wide\"><table><tr><th>Status</th><th>Meaning</th></tr>\n";
        for (const auto& [name, response] : responses)
            out_ +=
                fmt::format("<tr><td>{}</td><td>{}</td></tr>\n",
                            json::serialize(samples_of(response).begin()->value().at("value").at("httpCode")),
                            html_text(text_of(response.at("description"))));
        out_ += table_end;
    }

    void section(std::string_view method, std::string_view path, const json::object& operation) {
        const auto id = html_text(text_at(operation, "operationId"));
        out_ +=
            fmt::format("<section id=\"{0}\"><h3><a href=\"#{0}\"><span class=\"m {1}\">{2}</span>"
                        "<code>/v1{3}</code></a></h3>\n<p>{4}</p>\n",
                        id, method, upper(method), html_text(path), html_text(text_at(operation, "summary")));
        needs(operation);
        parameters(operation);
        const auto* body = object_at(operation, "requestBody");
        if (body != nullptr) {
            const auto& content = body->at("content").at("application/json");
            out_ += fmt::format("<h4>Body</h4><p>{}</p>\n", kind_of(content.at("schema").as_object()));
        }
        out_ += "<h4>For example</h4><pre>" + html_text(curl_line(method, path, operation)) + "</pre>\n";
        answers(operation);
        out_ += "</section>\n";
    }

    void needs(const json::object& operation) {
        const auto* requires_all = object_at(operation, "x-requires");
        out_ += "<ul class=\"needs\">";
        if (requires_all == nullptr)
            out_ += "<li>no key</li>";
        else
            for (const auto& [name, value] : *requires_all) {
                std::string words;
                if (const auto* several = value.if_array()) {
                    for (const auto& one : *several)
                        words += (words.empty() ? "" : " or ") + std::string(text_of(one));
                } else {
                    words = text_of(value);
                }
                out_ += fmt::format("<li>{}: {}</li>", html_text(name), html_text(words));
            }
        out_ += "</ul>\n";
    }

    // Looks through a reference to what it refers to.
    const json::object& resolved(const json::value& node) const {
        const auto& object = node.as_object();
        const auto target = text_at(object, "$ref");
        if (target.empty())
            return object;
        const auto name = target.substr(target.rfind('/') + 1);
        const auto kind = target.substr(0, target.rfind('/'));
        return components_.at(kind.substr(kind.rfind('/') + 1)).at(name).as_object();
    }

    void parameters(const json::object& operation) {
        const auto* list = operation.if_contains("parameters");
        if (list == nullptr)
            return;
        out_ += "<h4>Parameters</h4>";
        out_ += table_head;
        for (const auto& node : list->as_array()) {
            const auto& parameter = resolved(node);
            const auto& schema = parameter.at("schema").as_object();
            const auto* required = parameter.if_contains("required");
            const auto description = text_at(parameter, "description");
            out_ += row(text_at(parameter, "name"), required != nullptr && required->as_bool(), schema,
                        text_at(parameter, "in"),
                        description.empty() ? text_at(schema, "description") : description);
        }
        out_ += table_end;
    }

    static std::string curl_line(std::string_view method, std::string_view path,
                                 const json::object& operation) {
        std::string target(path);
        for (auto at = target.find('{'); at != std::string::npos; at = target.find('{', at)) {
            const auto end = target.find('}', at);
            target.replace(at, end + 1 - at, sample_text(target.substr(at + 1, end - at - 1)));
        }
        const auto* body = object_at(operation, "requestBody");
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

    static std::string shell_quoted(std::string_view text) {
        std::string out;
        for (const char c : text)
            out += c == '\'' ? std::string("'\\''") : std::string(1, c);
        return out;
    }

    void answers(const json::object& operation) {
        const auto& responses = operation.at("responses").as_object();
        const auto& content = *responses.at("200").at("content").as_object().begin();
        out_ += fmt::format("<h4>Answer</h4><p>{}</p>\n", kind_of(content.value().at("schema").as_object()));
        if (const auto* example = content.value().as_object().if_contains("example"))
            out_ += "<details><summary class=\"soft\">an example</summary><pre>" +
                    html_text(pretty(*example)) + "</pre></details>\n";
        if (const auto* codes = object_at(operation, "x-error-codes")) {
            out_ += "<h4>Errors</h4><div class=\"wide\"><table>\n";
            for (const auto& [status, names] : *codes) {
                std::string words;
                for (const auto& name : names.as_array())
                    words += (words.empty() ? "" : ", ") + std::string(text_of(name));
                out_ += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", html_text(status), html_text(words));
            }
            out_ += table_end;
        }
    }

    void shapes() {
        out_ += "<h2 id=\"shapes\">Shapes</h2>\n";
        for (const auto& [name, node] : components_.at("schemas").as_object()) {
            const auto& schema = node.as_object();
            out_ += fmt::format("<section id=\"shape-{0}\"><h3><a href=\"#shape-{0}\">{0}</a></h3>\n",
                                html_text(name));
            const auto* properties = object_at(schema, "properties");
            if (properties == nullptr || properties->empty())
                out_ += "<p class=\"soft\">An object without members.</p>";
            else
                members(schema, *properties);
            out_ += "</section>\n";
        }
    }

    void members(const json::object& schema, const json::object& properties) {
        const auto* required = schema.if_contains("required");
        out_ += table_head;
        for (const auto& [name, property] : properties) {
            const bool must =
                required != nullptr && std::ranges::any_of(required->as_array(), [&](const json::value& one) {
                    return text_of(one) == std::string_view(name);
                });
            out_ += row(name, must, property.as_object(), "", text_at(property.as_object(), "description"));
        }
        out_ += table_end;
    }

    static std::string upper(std::string_view method) {
        std::string out(method);
        std::ranges::transform(out, out.begin(), [](char c) { return static_cast<char>(c - 'a' + 'A'); });
        return out;
    }

    const json::object& document_;
    const json::object& components_;
    std::string out_;
};

} // namespace

std::string docs_page(const json::object& document) { return Page(document).whole(); }

std::string docs_policy() {
    return fmt::format("default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'; "
                       "frame-ancestors 'none'",
                       base64(sha256(docs_style)));
}

} // namespace slashpost::api
