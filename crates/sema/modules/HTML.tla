--------------------------------- MODULE HTML -------------------------------
(* Builds HTML pages as strings, for instance to show the states of a trace. *)
(* An operator that takes children, scripts, links or classes expects a      *)
(* tuple of strings.                                                         *)
LOCAL INSTANCE Sequences
LOCAL INSTANCE SequencesExt

(* The strings in parts joined together, with separator between them. *)
LOCAL Join(parts, separator) ==
  FoldLeft(LAMBDA text, part : IF text = "" THEN part
                                            ELSE (text \o separator) \o part,
           "", parts)

(* The strings in parts joined together, one on each line. *)
LOCAL Lines(parts) == Join(parts, "\n")

(* text in double quotes. *)
LOCAL Quoted(text) == ("\"" \o text) \o "\""

(* string with a list of replacements applied in order: args is a tuple of   *)
(* pairs <<placeholder, text>>, each used for its first occurrence only.     *)
HTMLFill(string, args) ==
  FoldLeft(LAMBDA text, arg : ReplaceFirstSubSeq(arg[2], arg[1], text),
           string, args)

(* A whole page. *)
HTMLDocument(header, body, list_of_scripts) ==
  Lines(<<"<!DOCTYPE html>", "<html>", header, body, Lines(list_of_scripts),
          "</html>">>)

-----------------------------------------------------------------------------
(* Style *)

(* A style rule for the selector classname. *)
HTMLClass(classname, attribute_list) ==
  Lines(<<classname \o " {", Lines(attribute_list), "}">>)

(* A style attribute, as in  color: red;  *)
HTMLAttribute(name, value) == ((name \o ": ") \o value) \o ";"

(* The rules for the classes that HTMLGridContainer, HTMLBox and HTMLCircle  *)
(* use.                                                                      *)
HTMLDefaultStyle ==
  Lines(<<HTMLClass(".default_grid", <<HTMLAttribute("display", "grid")>>),
          HTMLClass(".default_box",
                    <<HTMLAttribute("border", "1px solid black")>>),
          HTMLClass(".default_circle",
                    <<HTMLAttribute("border-radius", "50%")>>)>>)

(* A style sheet with the default rules and those in class_list. *)
HTMLStyleSheet(class_list) ==
  Lines(<<"<style type=\"text/css\">", HTMLDefaultStyle, Lines(class_list),
          "</style>">>)

(* The attributes that center the content of an element. *)
HTMLFlexCenterAttributes ==
  Lines(<<HTMLAttribute("display", "flex"),
          HTMLAttribute("align-items", "center"),
          HTMLAttribute("justify-content", "center")>>)

(* The attributes for an element of the given width and height, such as      *)
(* "10px", on one line.                                                      *)
HTMLSize(width, height) ==
  Join(<<HTMLAttribute("width", width), HTMLAttribute("height", height)>>, " ")

-----------------------------------------------------------------------------
(* Header and scripts *)

(* Loads the script from the file name. *)
HTMLScriptFile(name) == ("<script src=" \o Quoted(name)) \o "></script>"

(* A script made up of the lines in children. *)
HTMLScript(children) == Lines(<<"<script>", Lines(children), "</script>">>)

(* A link to the file name, with type as its relation, such as "stylesheet". *)
HTMLLink(name, type) ==
  Join(<<"<link", "href=" \o Quoted(name), ("rel=" \o Quoted(type)) \o "/>">>,
       " ")

(* The header of a page. *)
HTMLHeader(title, list_of_links, class_list) ==
  Lines(<<"<head>", "<meta charset=\"UTF-8\">",
          ("<title>" \o title) \o "</title>", Lines(list_of_links),
          HTMLStyleSheet(class_list), "</head>">>)

-----------------------------------------------------------------------------
(* Body *)

(* The body of a page. *)
HTMLBody(body) == Lines(<<"<body>", body, "</body>">>)

(* A plain block with the given id. *)
HTMLFrame(id, children) ==
  Lines(<<("<div id=" \o Quoted(id)) \o ">", Lines(children), "</div>">>)

(* A block that lays out its children in a grid. *)
HTMLGridContainer(id, class_list, children) ==
  LET classes == "default_grid " \o Join(class_list, " ")
      tag     == Join(<<"<div", "id=" \o Quoted(id),
                        ("class=" \o Quoted(classes)) \o ">">>, " ")
  IN  Lines(<<tag, Lines(children), "</div>">>)

(* A block with a border; size is a text as given by HTMLSize. *)
HTMLBox(id, class_list, size, children) ==
  LET classes == "default_box " \o Join(class_list, " ")
      tag     == Join(<<"<div", "id=" \o Quoted(id),
                        "class=" \o Quoted(classes),
                        ("style=" \o Quoted(size)) \o ">">>, " ")
  IN  Lines(<<tag, Lines(children), "</div>">>)

(* A block with a round border; size as for HTMLBox. *)
HTMLCircle(id, class_list, size, children) ==
  HTMLBox(id, <<"default_circle">> \o class_list, size, children)

(* A piece of text with the given id. *)
HTMLText(id, text) ==
  Lines(<<("<span id=" \o Quoted(id)) \o ">", text, "</span>">>)

(* A drawing: svgString is the text inside the svg element, size as for      *)
(* HTMLBox.                                                                  *)
HTMLSVG(id, viewBox, size, svgString) ==
  LET tag == Join(<<"<svg", "id=" \o Quoted(id), "viewBox=" \o Quoted(viewBox),
                    ("style=" \o Quoted(size)) \o ">">>, " ")
  IN  Lines(<<tag, svgString, "</svg>">>)

(* A line break. *)
HTMLNewLine == "<br>"

-----------------------------------------------------------------------------
(* Javascript *)

(* Looks up the element with the given id. *)
LOCAL Element(id) == ("document.getElementById(" \o Quoted(id)) \o ")"

(* The two elements between which a line is drawn. *)
HTMLJSLineElems(fromID, destID) ==
  Join(<<Element(fromID), Element(destID)>>, ", ")

(* Draws a line between two elements, with the LeaderLine library. *)
HTMLJSLine(fromID, destID, color, size) ==
  HTMLFill("new LeaderLine(%1, {color: '%2', size: %3})",
           << <<"%1", HTMLJSLineElems(fromID, destID)>>,
              <<"%2", color>>, <<"%3", size>> >>)

(* Draws a dashed line between two elements, with the LeaderLine library. *)
HTMLJSLineDash(fromID, destID, color, size) ==
  HTMLFill("new LeaderLine(%1,  {color: '%2', size: %3, dash: true})",
           << <<"%1", HTMLJSLineElems(fromID, destID)>>,
              <<"%2", color>>, <<"%3", size>> >>)

(* Runs the statements in events when a key is released; in them, key is its *)
(* name in capitals.                                                         *)
HTMLJSKeyListener(events) ==
  Lines(<<"window.onkeyup = function(event) {",
          "let key = event.key.toUpperCase();", Lines(events), "}">>)

(* A statement for HTMLJSKeyListener: the given key opens file. *)
HTMLJSNavigationKey(key, file) ==
  Lines(<<("if(key == '" \o key) \o "'){",
          ("window.location.replace(" \o Quoted(file)) \o ");", "}">>)
=============================================================================
