#include "http/wire/decode.h"

#include "tests/http/wire/sample_shapes.h"

#include <boost/json.hpp>
#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace slashpost;
using namespace slashpost::wire;

namespace {

struct Read {
    Thing thing;
    std::vector<FieldError> problems;
};

Read read(const Result<Tree>& tree) {
    Read out;
    Problems problems;
    REQUIRE(tree.has_value());
    auto thing = decode<Thing>(*tree, problems);
    REQUIRE(thing.has_value());
    out.thing = *std::move(thing);
    out.problems = problems.fields();
    return out;
}

Read read_json(std::string_view text) { return read(parse_json(text)); }
Read read_form(std::string_view text) { return read(parse_form(text)); }

// The one problem of an input, as "Code property".
std::string only_problem(const Read& read) {
    REQUIRE(read.problems.size() == 1);
    return read.problems[0].code + ' ' + read.problems[0].property;
}

ErrorKind failure(const Result<Tree>& tree) {
    REQUIRE_FALSE(tree.has_value());
    return tree.error().kind;
}

} // namespace

TEST_CASE("every field of a JSON body arrives", "[decode]") {
    const auto [thing, problems] = read_json(R"({"name":"cup","color":"#ff8800","heavy":true,"count":7,
        "limit":3,"size":"large","at":"2026-01-01T00:00:00.000Z","day":"2026-01-01","order":"count",
        "owner":{"id":"00000000000000000000000000000001","name":"Eva"},
        "ids":["00000000000000000000000000000002"],"note":"fine"})");
    CHECK(problems.empty());
    CHECK(thing.name == "cup");
    CHECK(thing.color == "#ff8800");
    CHECK(thing.heavy == true);
    CHECK(thing.count == 7);
    CHECK(thing.limit == 3);
    CHECK(thing.size == Size::large);
    CHECK(thing.at == Timestamp{1'767'225'600'000});
    CHECK(thing.day == Timestamp{1'767'225'600'000});
    CHECK(thing.order == "count");
    CHECK(thing.owner->id->hex() == "00000000000000000000000000000001");
    CHECK(thing.owner->name == "Eva");
    REQUIRE(thing.ids.size() == 1);
    CHECK(thing.ids[0].hex() == "00000000000000000000000000000002");
    CHECK(thing.note_text == Change<std::string>::set("fine"));
}

TEST_CASE("every field of a form arrives, typed by its field", "[decode]") {
    const auto [thing, problems] =
        read_form("name=c+p&color=%23ff8800&heavy=1&count=-5&limit=3&size=small&at=2026-01-01&day=2026-01-01"
                  "&owner[id]=00000000000000000000000000000001&owner.name=Ev%C3%A4"
                  "&ids=00000000000000000000000000000002,00000000000000000000000000000003");
    CHECK(problems.empty());
    CHECK(thing.name == "c p");
    CHECK(thing.color == "#ff8800");
    CHECK(thing.heavy == true);
    CHECK(thing.count == -5);
    CHECK(thing.limit == 3);
    CHECK(thing.size == Size::small);
    CHECK(thing.owner->id->hex() == "00000000000000000000000000000001");
    CHECK(thing.owner->name == "Evä");
    CHECK(thing.ids.size() == 2);
}

TEST_CASE("all broken fields are named at once", "[decode]") {
    const auto [thing, problems] =
        read_json(R"({"color":"zz","heavy":"yes","count":11,"owner":{"id":"x","name":"e"},"ids":[1,""]})");
    CHECK(problems ==
          std::vector<FieldError>{
              {"RequiredField", "name", "cannot be empty"},
              {"PatternMismatch", "color", "must match ^#?[0-9a-fA-F]{6}$"},
              {"InvalidFormat", "heavy", "must be true or false"},
              {"OutOfRange", "count", "must be between -5 and 10"},
              {"InvalidFormat", "owner.id", "must be an id of 32 lower-case hexadecimal characters"},
              {"InvalidLength", "owner.name", "must have 2 to 5 characters"},
              {"InvalidFormat", "ids[0]", "must be an id of 32 lower-case hexadecimal characters"},
              {"RequiredField", "ids[1]", "cannot be empty"}});
}

TEST_CASE("what is right of an object stays beside what is wrong, so that it is looked at further",
          "[decode]") {
    const auto one = read_json(R"({"name":"a","owner":{"id":"x","name":"Eva"}})");
    CHECK(only_problem(one) == "InvalidFormat owner.id");
    REQUIRE(one.thing.owner);
    CHECK(one.thing.owner->name == "Eva");
    CHECK_FALSE(one.thing.owner->id);
    const auto none = read_json(R"({"name":"a","owner":"Eva"})");
    CHECK(only_problem(none) == "InvalidFormat owner");
}

TEST_CASE("an empty string means not given, nested ones too", "[decode]") {
    const auto from_json = read_json(
        R"({"name":"a","color":"","heavy":"","count":"","size":"","at":"","owner":{"id":"","name":""},"ids":"","note":""})");
    const auto from_form =
        read_form("name=a&color=&heavy=&count=&limit=&size=&at=&owner.id=&owner[name]=&ids=&note=");
    for (const auto& [thing, problems] : {from_json, from_form}) {
        CHECK(problems.empty());
        CHECK_FALSE(thing.color);
        CHECK_FALSE(thing.heavy);
        CHECK_FALSE(thing.count);
        CHECK(thing.limit == 25);
        CHECK_FALSE(thing.size);
        CHECK_FALSE(thing.at);
        REQUIRE(thing.owner);
        CHECK_FALSE(thing.owner->id);
        CHECK_FALSE(thing.owner->name);
        CHECK(thing.ids.empty());
        CHECK(thing.note_text.is_keep());
    }
}

TEST_CASE("a required field that is absent, empty or null is RequiredField", "[decode]") {
    for (const auto* body : {"{}", R"({"name":""})", R"({"name":null})"})
        CHECK(only_problem(read_json(body)) == "RequiredField name");
    CHECK(only_problem(read_form("name=")) == "RequiredField name");
}

TEST_CASE("null means not given, and clears in an update", "[decode]") {
    const auto [thing, problems] =
        read_json(R"({"name":"a","color":null,"owner":null,"ids":null,"note":null})");
    CHECK(problems.empty());
    CHECK_FALSE(thing.color);
    CHECK_FALSE(thing.owner);
    CHECK(thing.ids.empty());
    CHECK(thing.note_text.is_clear());
}

TEST_CASE("unknown keys are ignored", "[decode]") {
    CHECK(read_json(R"({"name":"a","id":"x","clicks":-1,"deep":{"er":[[]]}})").problems.empty());
    CHECK(read_form("name=a&x=1&deep[er]=2&[odd=3&[]=4&.=5").problems.empty());
}

TEST_CASE("length counts Unicode code points", "[decode]") {
    CHECK(read_json(R"({"name":"😀ü日本"})").problems.empty());
    CHECK(only_problem(read_json(R"({"name":"😀ü日本x"})")) == "InvalidLength name");
    CHECK(read_json(R"({"name":"\ud83d\ude00\u00fc\u65e5\u672c"})").thing.name == "😀ü日本");
}

TEST_CASE("a value of the wrong type is InvalidFormat of its property", "[decode]") {
    const std::pair<std::string_view, std::string_view> cases[] = {
        {R"({"name":5})", "InvalidFormat name"},
        {R"({"name":{}})", "InvalidFormat name"},
        {R"({"name":["a"]})", "InvalidFormat name"},
        {R"({"name":"a","heavy":1})", "InvalidFormat heavy"},
        {R"({"name":"a","heavy":"yes"})", "InvalidFormat heavy"},
        {R"({"name":"a","count":"7x"})", "InvalidFormat count"},
        {R"({"name":"a","count":7.5})", "InvalidFormat count"},
        {R"({"name":"a","size":1})", "InvalidFormat size"},
        {R"({"name":"a","size":"SMALL"})", "InvalidFormat size"},
        {R"({"name":"a","at":1767225600})", "InvalidFormat at"},
        {R"({"name":"a","at":"soon"})", "InvalidFormat at"},
        {R"({"name":"a","day":"2026-01-01T00:00Z"})", "InvalidFormat day"},
        {R"({"name":"a","order":"heavy"})", "InvalidFormat order"},
        {R"({"name":"a","owner":"me"})", "InvalidFormat owner"},
        {R"({"name":"a","owner":[]})", "InvalidFormat owner"},
        {R"({"name":"a","owner":{"name":7}})", "InvalidFormat owner.name"},
        {R"({"name":"a","makers":7})", "InvalidFormat makers"},
        {R"({"name":"a","ids":{}})", "InvalidFormat ids"},
        {R"({"name":"a","ids":"b"})", "InvalidFormat ids"},
        {R"({"name":"a","note":7})", "InvalidFormat note"},
    };
    for (const auto& [body, problem] : cases) {
        CAPTURE(body);
        CHECK(only_problem(read_json(body)) == problem);
    }
    CHECK(only_problem(read_form("name=a&count=1x")) == "InvalidFormat count");
    CHECK(only_problem(read_form("name=a&heavy=maybe")) == "InvalidFormat heavy");
    CHECK(only_problem(read_form("name=a&owner=me")) == "InvalidFormat owner");
    CHECK(only_problem(read_form("name=a&ids=x")) == "InvalidFormat ids");
}

namespace {

struct Bounded {
    std::optional<std::int64_t> wait;
    std::optional<std::uint32_t> port;
    std::optional<std::int64_t> rank;
    std::optional<std::uint32_t> size;
    std::string label;
    static constexpr std::string_view wire_name = "Bounded";
    static Fields fields() {
        return {field("wait", &Bounded::wait, range(60, 300)), field("port", &Bounded::port, at_least(1)),
                field("rank", &Bounded::rank, at_least(0)), field("size", &Bounded::size, clamped(1, 100)),
                field("label", &Bounded::label, trimmed, formats::slashtag)};
    }
};

std::string bounds_told(std::string_view body) {
    Problems problems;
    CHECK(decode<Bounded>(parse_json(body).value(), problems).has_value());
    return problems.none() ? "none" : problems.fields().front().message;
}

} // namespace

TEST_CASE("a number out of its bounds is told both, on whichever side it is", "[decode]") {
    CHECK(bounds_told(R"({"wait":59})") == "must be between 60 and 300");
    CHECK(bounds_told(R"({"wait":301})") == "must be between 60 and 300");
    CHECK(bounds_told(R"({"port":0})") == "must be between 1 and 4294967295");
    CHECK(bounds_told(R"({"port":4294967296})") == "must be between 1 and 4294967295");
    CHECK(bounds_told(R"({"rank":-1})") == "must be at least 0"); // above is nothing that fits a number
    CHECK(bounds_told(R"({"rank":1e300})") == "must be between 0 and 9223372036854775807");
    CHECK(bounds_told(R"({"size":0})") == "must be at least 1"); // more is as good as the most
    CHECK(bounds_told(R"({"size":101})") == "none");
}

TEST_CASE("a trimmed text is read without the white space around it, and is none if that is all",
          "[decode]") {
    const auto label = [](const Tree& tree) {
        Problems problems;
        auto out = decode<Bounded>(tree, problems).value().label;
        return problems.none() ? out : problems.fields().front().code;
    };
    CHECK(label(parse_json(R"({"label":" \t sale\r\n"})").value()) == "sale");
    CHECK(label(parse_form("label=+sale+").value()) == "sale");
    CHECK(label(parse_json(R"({"label":" "})").value()).empty());
    CHECK(label(parse_json(R"({"label":"a b"})").value()) == "PatternMismatch");
}

TEST_CASE("a whole number keeps to its range however large it is", "[decode]") {
    for (const auto* count : {"-6", "11", "9223372036854775808", "-9223372036854775809", "1e300", "-1e300"}) {
        CAPTURE(count);
        CHECK(only_problem(read_json(std::string(R"({"name":"a","count":)") + count + "}")) ==
              "OutOfRange count");
    }
    CHECK(read_json(R"({"name":"a","count":10.0})").thing.count == 10);
    CHECK(only_problem(read_form("name=a&count=99999999999999999999")) == "OutOfRange count");
}

TEST_CASE("a whole number may be a text or have a fraction of nothing", "[decode]") {
    for (const auto* seven : {"7", "7.0", "7.000", "\"7\"", "\"7.0\"", "70e-1"}) {
        CAPTURE(seven);
        CHECK(read_json(fmt::format(R"({{"name":"a","count":{}}})", seven)).thing.count == 7);
    }
    for (const auto* seven : {"7", "7.0", "7.000"})
        CHECK(read_form(fmt::format("name=a&count={}", seven)).thing.count == 7);
    for (const auto* text :
         {"7.5", "7.", ".0", "-.0", "7.0.0", "7,0", " 7", "7 ", "0x7", "7.00000001", "seven", "."}) {
        CAPTURE(text);
        CHECK(only_problem(read_form(fmt::format("name=a&count={}", text))) == "InvalidFormat count");
        CHECK(only_problem(read_json(fmt::format(R"({{"name":"a","count":"{}"}})", text))) ==
              "InvalidFormat count");
    }
    CHECK(read_form("name=a&count=-0.0").thing.count == 0);
    CHECK(only_problem(read_form("name=a&count=11.0")) == "OutOfRange count");
}

TEST_CASE("a clamped number above its range is the largest, below it is refused", "[decode]") {
    CHECK(read_form("name=a&limit=100").thing.limit == 100);
    CHECK(read_form("name=a&limit=101").thing.limit == 100);
    CHECK(read_form("name=a&limit=99999999999999999999").thing.limit == 100);
    CHECK(only_problem(read_form("name=a&limit=0")) == "OutOfRange limit");
    CHECK(only_problem(read_form("name=a&limit=-1")) == "OutOfRange limit");
    CHECK(only_problem(read_form("name=a&limit=ten")) == "InvalidFormat limit");
}

TEST_CASE("a boolean may be a text in any case", "[decode]") {
    for (const auto* yes : {"true", "True", "TRUE", "1"}) {
        CHECK(read_json(fmt::format(R"({{"name":"a","heavy":"{}"}})", yes)).thing.heavy == true);
        CHECK(read_form(fmt::format("name=a&heavy={}", yes)).thing.heavy == true);
    }
    for (const auto* no : {"false", "False", "FALSE", "0"}) {
        CHECK(read_json(fmt::format(R"({{"name":"a","heavy":"{}"}})", no)).thing.heavy == false);
        CHECK(read_form(fmt::format("name=a&heavy={}", no)).thing.heavy == false);
    }
}

TEST_CASE("a query's booleans are true, false, 1 and 0, and its own word means no filter", "[decode]") {
    CHECK(read_form("name=a&heavy=true").thing.heavy == true);
    CHECK(read_form("name=a&heavy=1").thing.heavy == true);
    CHECK(read_form("name=a&heavy=false").thing.heavy == false);
    CHECK(read_form("name=a&heavy=0").thing.heavy == false);
    const auto none = read_form("name=a&heavy=none");
    CHECK(none.problems.empty());
    CHECK_FALSE(none.thing.heavy);
}

TEST_CASE("a list may be written with commas or with brackets", "[decode]") {
    const std::string a(31, '0'), one = a + "1", two = a + "2";
    for (const auto& text : {"ids=" + one + "," + two, "ids[]=" + one + "&ids[]=" + two,
                             "ids[0]=" + one + "&ids[1]=" + two, "ids=," + one + ",," + two + ","}) {
        CAPTURE(text);
        const auto [thing, problems] = read_form("name=a&" + text);
        CHECK(problems.empty());
        REQUIRE(thing.ids.size() == 2);
        CHECK(thing.ids[0].hex() == one);
        CHECK(thing.ids[1].hex() == two);
    }
    CHECK(only_problem(read_form("name=a&ids=1,2,3,4")) == "OutOfRange ids");
}

TEST_CASE("of a repeated key the last one counts", "[decode]") {
    CHECK(read_json(R"({"name":"a","name":"b"})").thing.name == "b");
    CHECK(read_form("name=a&name=b").thing.name == "b");
    CHECK(read_form("name=a&name=").problems.size() == 1);
    CHECK(read_form("name=a&owner[name]=Tom&owner=x&owner.name=Eva").thing.owner->name == "Eva");
}

TEST_CASE("a text in the place of an object is what the object says it is", "[decode]") {
    const auto names = [](const Read& read) {
        CHECK(read.problems.empty());
        return read.thing.makers ? fmt::format("{}", fmt::join(read.thing.makers->name, " ")) : std::string();
    };
    CHECK(names(read_json(R"({"name":"a","makers":"x,y"})")) == "x y");
    CHECK(names(read_json(R"({"name":"a","makers":["x","y"]})")) == "x y");
    CHECK(names(read_json(R"({"name":"a","makers":{"fullName":"x"}})")) == "x");
    CHECK(names(read_json(R"({"name":"a","makers":""})")).empty());
    CHECK(names(read_form("name=a&makers=x")) == "x");
    CHECK(names(read_form("name=a&makers=x,y")) == "x y");
    CHECK(names(read_form("name=a&makers=")).empty());
    CHECK(names(read_form("name=a&makers=x&makers.fullName=y")) == "y x");
    CHECK(names(read_form("name=a&makers[fullName]=y&makers=x&makers=z")) == "y x z");
}

TEST_CASE("a list has all values of a parameter that comes several times", "[decode]") {
    const std::string a(31, '0'), one = a + "1", two = a + "2", three = a + "3";
    for (const auto& text :
         {"ids=" + one + "&ids=" + two + "&ids=" + three, "ids=" + one + "," + two + "&ids=&ids=" + three,
          "ids=" + one + "&ids[]=" + two + "&ids[]=" + three}) {
        CAPTURE(text);
        const auto [thing, problems] = read_form("name=a&" + text);
        CHECK(problems.empty());
        CHECK(thing.ids.size() == 3);
    }
    CHECK(only_problem(read_form("name=a&ids=1&ids=2&ids=3&ids=4")) == "OutOfRange ids");
    CHECK(read_form("name=a&makers.id=" + one + "&makers[id]=" + two).thing.makers->id.size() == 2);
}

TEST_CASE("a name counts in any case, the exact one before others", "[decode]") {
    CHECK(read_json(R"({"NAME":"a","Owner":{"Name":"Eva"}})").thing.owner->name == "Eva");
    CHECK(read_form("Name=a&owner[NAME]=Eva").thing.owner->name == "Eva");
    CHECK(read_json(R"({"Name":"b","name":"a"})").thing.name == "a");
    CHECK(read_json(R"({"name":"a","makers":{"fullname":"x"}})").thing.makers->name.front() == "x");
    CHECK(read_form("name=a&makers[FullName]=x").thing.makers->name.front() == "x");
}

TEST_CASE("the texts at a path are all that were sent for it", "[decode]") {
    const auto texts = [](const Result<Tree>& tree) {
        return fmt::format("{}", fmt::join(texts_at(*tree, {"owner", "id"}), " "));
    };
    CHECK(texts(parse_form("owner[id]=x&owner.id=y&owner.id=&owner=z")) == "x y");
    CHECK(texts(parse_form("owner.id.x=1&owner.id=y")) == "y");
    CHECK(texts(parse_form("owner=x")).empty());
    CHECK(texts(parse_json(R"({"owner":{"id":"x"}})")) == "x");
    CHECK(texts(parse_json(R"({"owner":{"id":["x"]}})")).empty());
    CHECK(texts(parse_json("[]")).empty());
}

TEST_CASE("what is no JSON is malformed", "[decode]") {
    for (const auto* body :
         {"{", "{\"name\":}", "{'name':'a'}", "{\"name\":\"a\",}", "nonsense", "{} {}", "NaN", " ",
          "{\xef\xbb\xbf}", "{\"name\":\"\xff\"}", "{\"name\":\"\xc0\x80\"}", "{\"name\":\"\xed\xa0\x80\"}",
          "{\"name\":\"\\ud800\"}", "{\"name\":\"\\udc00\"}", "{\"name\":\"\\ud800x\"}",
          "{\"name\":\"a\tb\"}", "// x\n{}", "{\"n\":01}"}) {
        CAPTURE(body);
        CHECK(failure(parse_json(body)) == ErrorKind::malformed);
    }
    CHECK(failure(parse_json(std::string_view("{\"a\0\":1", 7))) == ErrorKind::malformed);
}

TEST_CASE("JSON may be 32 deep and no deeper", "[decode][threat-32]") {
    const auto nested = [](std::size_t depth) {
        return R"({"name":"a","x":)" + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}";
    };
    CHECK(parse_json(nested(32)).has_value());
    CHECK(failure(parse_json(nested(33))) == ErrorKind::malformed);
    CHECK(failure(parse_json(std::string(1'000'000, '['))) == ErrorKind::malformed);
}

TEST_CASE("a body of the wrong kind is malformed", "[decode]") {
    for (const auto* body : {"[]", "\"a\"", "5", "null", "true"}) {
        Problems problems;
        auto tree = parse_json(body);
        REQUIRE(tree.has_value());
        const auto thing = decode<Thing>(*tree, problems);
        REQUIRE_FALSE(thing.has_value());
        CHECK(thing.error().kind == ErrorKind::malformed);
    }
}

TEST_CASE("an array of shapes names its items", "[decode]") {
    Problems problems;
    auto tree = parse_json(R"([{"name":"a"},{"name":""},{"name":"b","owner":{"id":"?"}},7])");
    REQUIRE(tree.has_value());
    REQUIRE(decode<std::vector<Thing>>(*tree, problems).has_value());
    REQUIRE(problems.fields().size() == 3);
    CHECK(problems.fields()[0].property == "[1].name");
    CHECK(problems.fields()[1].property == "[2].owner.id");
    CHECK(problems.fields()[2].property == "[3]");
}

TEST_CASE("the character U+0000 and broken UTF-8 are refused in a text", "[decode][threat-32]") {
    CHECK(only_problem(read_json(R"({"name":"a\u0000"})")) == "InvalidFormat name");
    CHECK(only_problem(read_form("name=a%00")) == "InvalidFormat name");
    CHECK(only_problem(read_form("name=%ff")) == "InvalidFormat name");
    CHECK(only_problem(read_form("name=%ed%a0%80")) == "InvalidFormat name");
}

TEST_CASE("a form has a bounded number of fields", "[decode]") {
    std::string text = "name=a";
    for (int i = 1; i < 1000; ++i)
        text += "&x=1";
    CHECK(parse_form(text).has_value());
    CHECK(failure(parse_form(text + "&x=1")) == ErrorKind::malformed);
}

TEST_CASE("a name with very many brackets makes no deep tree", "[decode]") {
    std::string name = "a";
    for (int i = 0; i < 100'000; ++i)
        name += "[b]";
    CHECK(parse_form(name + "=1").has_value());
}

TEST_CASE("a body is read by its media type", "[decode]") {
    CHECK(read(parse_body("application/json", R"({"name":"a"})")).thing.name == "a");
    CHECK(read(parse_body("Application/JSON ; charset=utf-8", R"({"name":"a"})")).thing.name == "a");
    CHECK(read(parse_body(std::nullopt, R"({"name":"a"})")).thing.name == "a");
    CHECK(read(parse_body("", R"({"name":"a"})")).thing.name == "a");
    CHECK(read(parse_body("application/x-www-form-urlencoded; charset=UTF-8", "name=a")).thing.name == "a");
    CHECK(only_problem(read(parse_body("application/json", ""))) == "RequiredField name");
    for (const auto* type :
         {"text/plain", "text/html", "application/xml", "multipart/form-data", "text/csv", "*/*"}) {
        CAPTURE(type);
        const auto tree = parse_body(type, "name=a");
        REQUIRE_FALSE(tree.has_value());
        CHECK(tree.error().code == "NotAcceptable");
    }
}

TEST_CASE("a body that begins as JSON does is JSON, whatever its media type says", "[decode]") {
    for (const auto* type : {"application/x-www-form-urlencoded", "text/plain;charset=UTF-8", "text/csv",
                             "application/octet-stream", "multipart/form-data; boundary=x"}) {
        CAPTURE(type);
        for (const auto* body : {R"({"name":"a"})", " \t\r\n{\"name\":\"a\"}", "\xEF\xBB\xBF{\"name\":\"a\"}",
                                 "\xEF\xBB\xBF\n {\"name\":\"a\"}"}) {
            CAPTURE(body);
            CHECK(read(parse_body(type, body)).thing.name == "a");
        }
        CHECK(parse_body(type, R"([{"name":"a"}])").value().value().is_array());
        CHECK(failure(parse_body(type, R"({"name":)")) == ErrorKind::malformed);
    }
    CHECK(read(parse_body("application/json", "\xEF\xBB\xBF{\"name\":\"a\"}")).thing.name == "a");
    CHECK(read(parse_body("application/x-www-form-urlencoded", "name={a}")).thing.name == "{a}");
    CHECK(parse_body("text/csv", " \n").error().code == "NotAcceptable");
    CHECK(parse_body("text/csv", "\xEF\xBB\xBF").error().code == "NotAcceptable");
}

TEST_CASE("a form's escapes are undone once, and a stray percent sign stays", "[decode]") {
    CHECK(read_form("name=%2541").thing.name == "%41");
    CHECK(read_form("name=a%2bb").thing.name == "a+b");
    CHECK(read_form("name=10%").thing.name == "10%");
    CHECK(read_form("n%61me=%zz").thing.name == "%zz");
}

TEST_CASE("an object has at most 256 keys, wherever it stands, and others beside it have their own",
          "[decode]") {
    const auto object = [](int keys) {
        std::string out = "{";
        for (int i = 0; i < keys; ++i)
            out += fmt::format("{}\"k{}\":1", i == 0 ? "" : ",", i);
        return out + "}";
    };
    CHECK(parse_json(object(256)).has_value());
    CHECK(failure(parse_json(object(257))) == ErrorKind::malformed);
    CHECK(failure(parse_json("[1,{\"a\":[" + object(257) + "]}]")) == ErrorKind::malformed);
    CHECK(parse_json("[" + object(256) + "," + object(256) + "]").has_value());
    // Colons and braces within strings are none of the object's.
    CHECK(parse_json("{\"a\":\"" + std::string(1'000, ':') + "\\\"" + std::string(1'000, ':') + "\"}")
              .has_value());
    CHECK(failure(parse_json("{\"{{{\\\\\":1," + object(257).substr(1))) == ErrorKind::malformed);
    CHECK(failure(parse_json("{\"a")) == ErrorKind::malformed);
    CHECK(failure(parse_json(std::string(100'000, '{'))) == ErrorKind::malformed);
}
