# cmake -D FOLDER=built -D OUT=embedded_files.cc -P embed.cmake: every file of the folder as the bytes of a constant.
# The compiler has no #embed yet.
file(GLOB files RELATIVE ${FOLDER} ${FOLDER}/*)
list(SORT files)
set(text "// Made by CMake of http/dashboard/built.\n#include \"http/dashboard/built_files.h\"\n\n")
string(APPEND text "namespace slashpost::dashboard {\n\nusing namespace std::string_view_literals;\n\n")
string(APPEND text "const EmbeddedFile embedded_files[] = {\n")
foreach(name IN LISTS files)
    file(READ ${FOLDER}/${name} bytes HEX)
    # In lines, each a literal of its own that the compiler puts together.
    string(REGEX REPLACE "(................................................)" "\\1\"\n     \"" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" bytes "${bytes}")
    string(APPEND text "    {\"${name}\",\n     \"${bytes}\"sv},\n")
endforeach()
string(APPEND text "    {\"\", \"\"},\n};\n\n} // namespace slashpost::dashboard\n")
file(WRITE ${OUT} "${text}")
