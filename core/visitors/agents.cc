#include "core/visitors/agents.h"

#include "core/base/random.h"
#include "core/base/siphash.h"
#include "core/visitors/bot_patterns.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <memory>

namespace slashpost::redirect {

namespace {

bool has(std::string_view text, std::string_view word) { return text.find(word) != text.npos; }

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return has(text, word); });
}

// Most headers name other browsers besides their own, to get the pages made for those; so the one that nobody
// pretends to be comes first, and the one that everybody is "like" last.
Browser browser_of(std::string_view text) {
    if (has_any(text, {"Edg/", "Edge/", "EdgA/", "EdgiOS/"}))
        return Browser::edge;
    if (has_any(text, {"OPR/", "Opera", "OPiOS/", "OPT/", "OPX/"}))
        return Browser::opera;
    if (has(text, "SamsungBrowser/"))
        return Browser::samsung;
    if (has_any(text, {"UCBrowser/", "UCWEB", "UBrowser/", "UCMini/"}))
        return Browser::uc;
    if (has_any(text, {"YaBrowser/", "YaApp_"}))
        return Browser::yandex;
    if (has_any(text, {"Firefox/", "FxiOS/"}))
        return Browser::firefox;
    if (has_any(text, {"MSIE ", "Trident/"}))
        return Browser::ie;
    if (has_any(text, {"Chrome/", "CriOS/", "Chromium/"}))
        return Browser::chrome;
    // Android's own old browser has both words too.
    if (has(text, "Safari/") && has(text, "Version/") && !has(text, "Android"))
        return Browser::safari;
    return Browser::unknown;
}

System system_of(std::string_view text) {
    if (has(text, "Windows")) // before the others: Windows phones were "like" both
        return System::windows;
    if (has_any(text, {"iPhone", "iPad", "iPod"}))
        return System::ios;
    if (has(text, "Android"))
        return System::android;
    if (has(text, "CrOS"))
        return System::chromeos;
    if (has_any(text, {"Macintosh", "Mac OS X", "Mac_PowerPC"}))
        return System::macos;
    return has(text, "Linux") ? System::linux_ : System::unknown;
}

// An iPad that asks for desktop pages says it is a Macintosh; it cannot be told from one.
Device device_of(std::string_view text, System system) {
    if (has_any(text, {"SMART-TV", "SmartTV", "Smart TV", "Android TV", "GoogleTV", "AppleTV", "BRAVIA",
                       "AFT", "Web0S", "HbbTV", "CrKey", "PlayStation", "Xbox", "Nintendo"}) ||
        text.starts_with("curl/") || text.starts_with("Wget/"))
        return Device::other;
    if (has_any(text, {"iPad", "Tablet"}) && !has(text, "Tablet PC"))
        return Device::tablet;
    if (has_any(text, {"Mobile", "iPhone", "iPod", "Windows Phone", "IEMobile", "Opera Mini", "Opera Mobi",
                       "BlackBerry", "BB10", "KAIOS", "J2ME", "Symbian"}))
        return Device::mobile;
    if (system == System::android)
        return Device::tablet;
    return system != System::unknown || has(text, "X11") ? Device::desktop : Device::unknown;
}

Agent read(std::string_view text) {
    const auto system = system_of(text);
    Agent agent{.device = device_of(text, system), .system = system, .browser = browser_of(text)};
    if (const auto kind = find_bot(text); kind != BotKind::none) {
        agent.device = Device::bot;
        agent.fetches_previews = kind == BotKind::preview_fetcher;
    }
    return agent;
}

// Fixed in size. A text has two places it may be at, and the last one to come has one of them. So a flood of
// headers makes visits dearer by one reading each, and nothing more.
class Memory {
  public:
    KnownAgent find(std::string_view text) {
        const std::uint64_t hash = std::hash<std::string_view>()(text);
        CacheSlot& one = slots_[hash % slots_.size()];
        CacheSlot& other = slots_[(hash >> 32U) % slots_.size()];
        for (const CacheSlot* place : {&one, &other})
            if (place->size == text.size() && std::memcmp(place->text.data(), text.data(), text.size()) == 0)
                return place->known;
        CacheSlot& free = one.size == 0 || (other.size != 0 && ++turn_ % 2 == 0) ? one : other;
        free.known = {.agent = read(text), .mark = mark_of(text)};
        std::ranges::copy(text, free.text.begin());
        free.size = static_cast<std::uint16_t>(text.size());
        return free.known;
    }

  private:
    static std::uint64_t mark_of(std::string_view text) {
        static const SipKey key = [] {
            std::array<std::uint8_t, sizeof(SipKey)> bytes{};
            SystemRandom().fill(bytes);
            return std::bit_cast<SipKey>(bytes);
        }();
        return std::max<std::uint64_t>(siphash(key, text), 1);
    }

    struct CacheSlot {
        KnownAgent known;
        std::uint16_t size = 0; // 0: free
        std::array<char, agent_bytes_max> text{};
    };
    std::array<CacheSlot, 1024> slots_;
    unsigned turn_ = 0;
};

} // namespace

KnownAgent know_agent(std::string_view user_agent) {
    const auto text = user_agent.substr(0, agent_bytes_max);
    if (text.empty())
        return {.agent = {.device = Device::bot}};
    thread_local const auto memory = std::make_unique<Memory>();
    return memory->find(text);
}

} // namespace slashpost::redirect
