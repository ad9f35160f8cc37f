"""Makes man pages and completion of the tools from their option tables and pages."""

import re

import roff


def option_names(option):
    argument = f" \\fI{roff.escape(option.argument)}\\fR" if option.argument else ""
    return ", ".join(f"\\fB\\-{roff.escape(name)}\\fR" for name in option.names) + argument


def details(page):
    """Returns the descriptions of options on the page, beyond the tool's own table: name -> text."""
    found = {}
    for kind, lines in roff.blocks(page):
        if kind != "table" or not roff.cells(lines[0])[0].startswith("option"):
            continue
        for line in lines[2:]:
            row = roff.cells(line)
            text = row[1] + (f" (default: {row[2]})" if len(row) > 2 and row[2] else "")
            for name in re.findall(r"(?:^|[\s,`(])-([a-z][\w-]*)", row[0]):
                found.setdefault(name, text)
    return found


def man(tool, page, version):
    known = details(page)
    done = roff.head(tool.name, 1, tool.about.rstrip("."), f"hnow {version}")
    done += [".SH SYNOPSIS", ".nf", *(f"\\fB{roff.escape(line)}\\fR" for line in tool.usage), ".fi"]
    options = []
    for option in tool.options:
        text = next((known[name] for name in option.names if name in known), None)
        options += [".TP", option_names(option), roff.inline(text) if text else roff.escape(option.text)]
    done += [".SH DESCRIPTION", roff.escape(tool.about), *roff.page(page, options)]
    if any(line.strip() for line in tool.rest):
        done += [".SH NOTES", *roff.code(tool.rest)]
    done += [".SH SEE ALSO", see_also(tool.name)]
    return "\n".join(done) + "\n"


def see_also(name):
    others = [other for other in ("hrun", "hnow", "hnowd", "hprobe", "hplan", "hbench", "hmd") if other != name]
    return ", ".join(f"\\fB{other}\\fR(1)" for other in others)


def unknown(tool, page):
    """Returns options that are on the page but not in the tool."""
    mine = {name for option in tool.options for name in option.names}
    return sorted(set(details(page)) - mine)


def unsaid(tool, page):
    """Returns options that are not on the page, except those for internal use: "(how ...)"."""
    return [option.names[0] for option in tool.options
            if not any(re.search(rf"(?<![\w-])-{name}\b", page) for name in option.names)
            and not option.text.startswith("(") and not {"help", "version"} & set(option.names)]


def value(option):
    """Returns how the value of an option is completed: `words ...`, `directories`, `files` or `nothing`."""
    argument = option.argument
    if re.fullmatch(r"[a-z]+(\|[a-z]+)+", argument):
        return "words " + argument.replace("|", " ")
    if argument == "DIR":
        return "directories"
    if re.match(r"(NET)?FILE|PAGE", argument) or argument == "F" and option.names[0] == "f":
        return "files"
    return "nothing"


BASH = """# bash completion of {name}, made from its option table
_{name}()
{{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}}
    COMPREPLY=()
    case ${{prev/#--/-}} in
{cases}
    esac
    if [[ $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W '{words}' -- "$cur")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    fi
}}
complete -o filenames -o bashdefault -F _{name} {name}
"""

BASH_VALUES = {"directories": 'compgen -d -- "$cur"', "files": 'compgen -f -- "$cur"'}


def bash(tool):
    cases = []
    for option in tool.options:
        if not option.argument:
            continue
        kind, _, words = value(option).partition(" ")
        made = f"compgen -W '{words}' -- \"$cur\"" if kind == "words" else BASH_VALUES.get(kind)
        body = f"mapfile -t COMPREPLY < <({made}); return" if made else "return"
        cases.append(f"        {'|'.join('-' + name for name in option.names)}) {body} ;;")
    words = " ".join("-" + name for option in tool.options for name in option.names)
    return BASH.format(name=tool.name, cases="\n".join(cases), words=words)


ZSH_VALUES = {"directories": "_files -/", "files": "_files", "nothing": " "}


def zsh_text(text):
    for letter in "\\[]:":
        text = text.replace(letter, "\\" + letter)
    return text.replace("'", "'\\''")


def zsh(tool):
    lines = [f"#compdef {tool.name}", f"# zsh completion of {tool.name}, made from its option table", "_arguments -S \\"]
    for option in tool.options:
        kind, _, words = value(option).partition(" ")
        action = f"({words})" if kind == "words" else ZSH_VALUES[kind]
        what = f":{zsh_text(option.argument)}:{action}" if option.argument else ""
        for name in option.names:
            lines.append(f"    '*-{name}[{zsh_text(option.text)}]{what}' \\")
    lines.append("    '*:file:_files'")
    return "\n".join(lines) + "\n"
