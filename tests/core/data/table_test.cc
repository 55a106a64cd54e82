#include "core/data/table_code.h"
#include "storage/memory/engine.h"

#include <catch2/catch.hpp>

#include <random>
#include <set>

using namespace slashpost;
using data::always;
using data::Bytes;
using data::key;
using data::Txn;
using data::View;
using data::when;

namespace {

constexpr data::Space books_space{1, "books", data::Pattern::rows};
constexpr data::Space shelf_space{2, "shelf", data::Pattern::hot_lookup};
constexpr std::array spaces{books_space, shelf_space};

struct Book {
    LinkId id;
    std::string shop;
    std::string title;
    std::string shelf; // empty: on none
    std::vector<std::string> topics;
    bool sold = false;
    std::vector<std::string> codes;
    data::Unknown unknown;

    static constexpr std::size_t primary_bytes = 16;
    static Bytes primary_of(const Book& b) { return Bytes(b.id.view()); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "id", &Book::id),         stored(2, "shop", &Book::shop),
                          stored(3, "title", &Book::title),   stored(4, "shelf", &Book::shelf),
                          stored(5, "topics", &Book::topics), stored(6, "sold", &Book::sold),
                          stored(7, "codes", &Book::codes)};
    }
};

struct BookTable : data::Table<Book> {
    BookTable() : Table(books_space, "book") {}
    data::Unique<Book> by_title{this, 1, "title",
                                [](const Book& b) { return when(!b.sold, b.shop, b.title); }};
    data::Unique<Book> on_shelf{
        this,
        2,
        "shelf",
        shelf_space,
        [](const Book& b) { return b.shelf.empty() ? std::vector<Bytes>() : std::vector{key(b.shelf)}; },
        [](const Book& b) { return b.title; }};
    data::Ordered<Book> in_order{this, 3, "in_order", [](const Book& b) { return when(!b.sold, b.shop); },
                                 [](const Book& b) { return key(b.title); }};
    data::Fan<Book> by_topic{this, 4, "by_topic",
                             [](const Book& b) {
                                 std::vector<Bytes> scopes;
                                 for (const auto& topic : b.topics)
                                     scopes.push_back(key(b.shop, topic));
                                 return scopes;
                             },
                             [](const Book& b) { return key(b.title); }};
    data::Unique<Book> by_code{this, 5, "code", [](const Book& b) {
                                   std::vector<Bytes> keys;
                                   for (const auto& code : b.codes)
                                       keys.push_back(key(code));
                                   return keys;
                               }};
    data::Tally<Book> tally{this, 1, "tally", [](const Book& b) { return always(b.shop, b.sold); }};
    data::Tally<Book> per_topic{this, 2, "per_topic", [](const Book& b) {
                                    std::vector<Bytes> keys;
                                    for (const auto& topic : b.topics)
                                        keys.push_back(key(topic));
                                    return keys;
                                }};
};

Book book(int number, std::string title, std::vector<std::string> topics = {}) {
    Book out;
    out.id.bytes[15] = static_cast<std::uint8_t>(number);
    out.shop = "s";
    out.title = std::move(title);
    out.topics = std::move(topics);
    return out;
}

struct Shop {
    BookTable books;
    std::unique_ptr<data::Engine> engine = storage::make_memory_engine(spaces);

    Result<void> insert(const Book& row) {
        return engine->transact([&](Txn& txn) { return books.insert(txn, row); });
    }
    Result<void> update(const Book& was, const Book& now) {
        return engine->transact([&](Txn& txn) { return books.update(txn, was, now); });
    }
    Result<void> remove(const Book& was) {
        return engine->transact([&](Txn& txn) { return books.remove(txn, was); });
    }
    std::string walk(const data::Index<Book>& index, const data::Walk& walk) {
        std::string titles;
        REQUIRE(engine
                    ->read([&](View& view) {
                        return index.walk(view, walk, [&](data::BytesView primary) -> Result<bool> {
                            titles += (*books.find(view, primary))->title + " ";
                            return true;
                        });
                    })
                    .has_value());
        return titles;
    }
    std::int64_t count(bool sold) {
        return *engine->read([&](View& view) { return books.tally.count(view, std::string("s"), sold); });
    }
    data::Findings check() {
        return *engine->read([&](View& view) { return books.check(view); });
    }
};

} // namespace

TEST_CASE("rows, indexes, unique keys and tallies are stored under their literal keys", "[table]") {
    Shop shop;
    auto row = book(5, "T", {"x"});
    row.shelf = "A";
    REQUIRE(shop.insert(row).has_value());
    const Bytes id(row.id.view());
    const Bytes s("s\0\0", 3), t("T\0\0", 3), x("x\0\0", 3), a("A\0\0", 3);
    std::map<Bytes, Bytes> found, shelf;
    std::map<Bytes, std::int64_t> sums;
    REQUIRE(shop.engine
                ->read([&](View& view) -> Result<void> {
                    TRY(view.scan(books_space, {}, data::Order::forward,
                                  [&](auto k, auto v) { return found.emplace(k, v).second; }));
                    TRY(view.scan(shelf_space, {}, data::Order::forward,
                                  [&](auto k, auto v) { return shelf.emplace(k, v).second; }));
                    return view.scan_tallies({}, data::Order::forward,
                                             [&](auto k, auto n) { return sums.emplace(k, n).second; });
                })
                .has_value());
    CHECK(found == std::map<Bytes, Bytes>{{Bytes(1, '\0') + id, data::encode(row)},
                                          {"\x01" + s + t, id},
                                          {"\x03" + s + t + id, ""},
                                          {"\x04" + s + x + t + id, ""}});
    CHECK(shelf == std::map<Bytes, Bytes>{{a, id + "T"}});
    CHECK(sums == std::map<Bytes, std::int64_t>{{Bytes("\0\1\1", 3) + s + Bytes(1, '\0'), 1},
                                                {Bytes("\0\1\2", 3) + x, 1}});
}

TEST_CASE("a unique key refuses a second row and names the property", "[table]") {
    Shop shop;
    REQUIRE(shop.insert(book(1, "T")).has_value());
    const auto refused = shop.insert(book(2, "T"));
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().fields.size() == 1);
    CHECK(refused.error().fields[0].code == "AlreadyExists");
    CHECK(refused.error().fields[0].property == "title");
    CHECK(shop.count(false) == 1);
    CHECK(shop.check().count == 0);
}

TEST_CASE("a row with several unique keys is found by each, and keeps each from others", "[table]") {
    Shop shop;
    auto row = book(1, "T");
    row.codes = {"a", "b"};
    REQUIRE(shop.insert(row).has_value());
    const auto found = [&](std::string_view code) {
        return shop.engine
            ->read(
                [&](View& view) { return shop.books.find_by(shop.books.by_code, view, std::string(code)); })
            ->has_value();
    };
    CHECK(found("a"));
    CHECK(found("b"));
    CHECK_FALSE(found("c"));
    auto other = book(2, "U");
    other.codes = {"c", "b"};
    CHECK(shop.insert(other).error().fields.at(0) == already_exists("code"));
    CHECK_FALSE(found("c"));
    const auto was = row;
    row.codes = {"a", "c"};
    REQUIRE(shop.update(was, row).has_value());
    CHECK(found("c"));
    CHECK_FALSE(found("b"));
    other.codes = {"b"};
    CHECK(shop.insert(other).has_value());
    CHECK(shop.check().count == 0);
}

TEST_CASE("a row that leaves its condition frees its unique key", "[table]") {
    Shop shop;
    auto sold = book(1, "T");
    REQUIRE(shop.insert(sold).has_value());
    const auto was = sold;
    sold.sold = true;
    REQUIRE(shop.update(was, sold).has_value());
    REQUIRE(shop.insert(book(2, "T")).has_value());
    CHECK(shop.count(false) == 1);
    CHECK(shop.count(true) == 1);
    CHECK_FALSE(shop.update(sold, was).has_value()); // the key is taken now
    CHECK(shop.check().count == 0);
}

TEST_CASE("an index is walked both ways, from a position, within bounds", "[table]") {
    Shop shop;
    for (int i = 0; i < 5; ++i)
        REQUIRE(shop.insert(book(i, std::string(1, static_cast<char>('a' + i)))).has_value());
    const auto scope = key(std::string_view("s"));
    const auto at = [&](int i) {
        return shop.books.in_order.position(book(i, std::string(1, static_cast<char>('a' + i))));
    };
    using enum data::Order;
    CHECK(shop.walk(shop.books.in_order, {.scope = scope}) == "a b c d e ");
    CHECK(shop.walk(shop.books.in_order, {.scope = scope, .order = backward}) == "e d c b a ");
    CHECK(shop.walk(shop.books.in_order, {.scope = scope, .after = at(2)}) == "d e ");
    CHECK(shop.walk(shop.books.in_order, {.scope = scope, .order = backward, .after = at(2)}) == "b a ");
    CHECK(shop.walk(shop.books.in_order, {.scope = scope, .after = at(4)}).empty());
    CHECK(shop.walk(shop.books.in_order, {.scope = scope, .order = backward, .after = at(0)}).empty());
    const auto b = key(std::string_view("b")), d = key(std::string_view("d"));
    CHECK(shop.walk(shop.books.in_order, {.scope = scope, .from = b, .until = d}) == "b c ");
    CHECK(shop.walk(shop.books.in_order, {.scope = scope, .order = backward, .from = b, .until = d}) ==
          "c b ");
    CHECK(shop.walk(shop.books.in_order, {.scope = scope, .after = at(1), .from = b, .until = d}) == "c ");
    CHECK(shop.walk(shop.books.in_order,
                    {.scope = scope, .order = backward, .after = at(4), .from = b, .until = d}) == "c b ");
    CHECK(shop.walk(shop.books.in_order, {.scope = scope, .from = d, .until = b}).empty());
    CHECK(shop.walk(shop.books.in_order, {.scope = key(std::string_view("other"))}).empty());
}

TEST_CASE("rows with equal places all stand in the index", "[table]") {
    Shop shop;
    for (int i = 0; i < 3; ++i) {
        auto row = book(i, "same", {"x"});
        row.sold = i > 0; // so that the unique title does not mind
        REQUIRE(shop.insert(row).has_value());
    }
    CHECK(shop.walk(shop.books.by_topic, {.scope = key(std::string_view("s"), std::string_view("x"))}) ==
          "same same same ");
}

TEST_CASE("a tally counts a row under each of its keys", "[table]") {
    Shop shop;
    const auto count = [&](std::string_view topic) {
        return *shop.engine->read([&](View& view) { return shop.books.per_topic.count(view, topic); });
    };
    const auto first = book(1, "T", {"x", "y"});
    REQUIRE(shop.insert(first).has_value());
    REQUIRE(shop.insert(book(2, "U", {"x"})).has_value());
    CHECK(count("x") == 2);
    CHECK(count("y") == 1);
    REQUIRE(shop.update(first, book(1, "T", {"y", "z"})).has_value());
    CHECK(count("x") == 1);
    CHECK(count("y") == 1);
    CHECK(count("z") == 1);
    REQUIRE(shop.remove(book(1, "T", {"y", "z"})).has_value());
    CHECK(count("y") == 0);
    CHECK(shop.check().count == 0);
}

TEST_CASE("check finds what is missing, wrong or too much, and reindex mends it", "[table]") {
    Shop shop;
    auto row = book(1, "T", {"x", "y"});
    row.shelf = "A";
    REQUIRE(shop.insert(row).has_value());
    REQUIRE(shop.insert(book(2, "U")).has_value());
    const Bytes s("s\0\0", 3), t("T\0\0", 3);
    const auto damage = [&](auto&& act) {
        REQUIRE(shop.engine->transact([&](Txn& txn) -> Result<void> { return act(txn); }).has_value());
    };
    SECTION("a missing index entry") {
        damage([&](Txn& txn) { return txn.erase(books_space, "\x03" + s + t + Bytes(row.id.view())); });
    }
    SECTION("an index entry of no row") {
        damage([&](Txn& txn) { return txn.put(books_space, "\x03" + s + t + Bytes(16, 'z'), ""); });
    }
    SECTION("a unique entry with other contents") {
        damage([&](Txn& txn) {
            return txn.put(shelf_space, Bytes("A\0\0", 3), Bytes(row.id.view()) + "wrong");
        });
    }
    SECTION("a tally that is off") {
        damage([&](Txn& txn) { return txn.add(Bytes("\0\1\1", 3) + s + Bytes(1, '\0'), 3); });
    }
    SECTION("a tally of nothing") {
        damage([&](Txn& txn) { return txn.add(Bytes("\0\1\1", 3) + "zzz", 1); });
    }
    CHECK(shop.check().count == 1);
    const auto mended = shop.books.reindex(*shop.engine);
    REQUIRE(mended.has_value());
    CHECK(*mended == 1);
    CHECK(shop.check().count == 0);
}

TEST_CASE("a reindex of more than one transaction mends all there is", "[table]") {
    constexpr int rows = 1500;
    Shop shop;
    const auto numbered = [](int number) {
        auto out = book(number % 256, std::to_string(number));
        out.id.bytes[14] = static_cast<std::uint8_t>(number / 256);
        out.shelf = out.title;
        return out;
    };
    for (int i = 0; i < rows; ++i)
        REQUIRE(shop.insert(numbered(i)).has_value());
    const auto all = data::key(std::uint8_t{3}); // in_order
    REQUIRE(shop.engine
                ->transact([&](Txn& txn) -> Result<void> {
                    for (int i = 0; i < rows; ++i) {
                        const auto at = Bytes("s\0\0", 3) + std::to_string(i) + Bytes("\0\0", 2);
                        const Bytes id(numbered(i).id.view());
                        TRY(txn.erase(books_space, all + at + id));                  // missing
                        TRY(txn.put(books_space, all + at + Bytes(16, 'z'), ""));    // of no row
                        TRY(txn.put(shelf_space, data::key(std::to_string(i)), id)); // other contents
                        TRY(txn.add(Bytes("\0\1\2", 3) + std::to_string(i), 1));     // of nothing
                    }
                    return {};
                })
                .has_value());
    CHECK(shop.check().count == 4 * rows);
    CHECK(shop.books.reindex(*shop.engine) == 4 * rows);
    CHECK(shop.check().count == 0);
    CHECK(shop.books.reindex(*shop.engine) == 0);
    CHECK(shop.count(false) == rows);
}

TEST_CASE("check finds a row that cannot be read, and a reindex leaves it to whoever can", "[table]") {
    Shop shop;
    REQUIRE(shop.engine->transact([&](Txn& txn) { return txn.put(books_space, Bytes(17, '\0'), "garbage"); })
                .has_value());
    const auto findings = shop.check();
    CHECK(findings.count == 1);
    CHECK(findings.rows == 1);
    REQUIRE(shop.insert(book(1, "T")).has_value());
    CHECK(shop.books.reindex(*shop.engine) == 0);
    CHECK(shop.check().count == 1);
}

TEST_CASE("after any series of operations check finds nothing", "[table]") {
    Shop shop;
    std::mt19937 random(11);
    std::map<int, Book> model;
    const auto some_text = [&] { return std::string(1, static_cast<char>('a' + random() % 4)); };
    for (int step = 0; step < 3000; ++step) {
        const int number = static_cast<int>(random() % 8);
        auto next = book(number, some_text());
        next.shelf = random() % 2 ? some_text() : "";
        for (const char* topic : {"x", "y"})
            if (random() % 2)
                next.topics.emplace_back(topic);
        next.sold = random() % 3 == 0;
        const auto it = model.find(number);
        if (it == model.end()) {
            if (shop.insert(next).has_value())
                model.emplace(number, next);
        } else if (random() % 3 == 0) {
            REQUIRE(shop.remove(it->second).has_value());
            model.erase(it);
        } else if (shop.update(it->second, next).has_value()) {
            it->second = next;
        }
    }
    CHECK(shop.check().count == 0);
    CHECK(shop.check().rows == model.size());
    CHECK(shop.count(true) == std::ranges::count_if(model, [](const auto& m) { return m.second.sold; }));
    std::set<std::pair<std::string, std::string>> titles;
    for (const auto& [number, row] : model)
        if (!row.sold)
            CHECK(titles.emplace(row.shop, row.title).second);
}
