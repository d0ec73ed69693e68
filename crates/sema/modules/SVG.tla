--------------------------------- MODULE SVG --------------------------------
(* Drawings as SVG, for instance to animate a trace. An element is a record: *)
(* name is its tag, attrs a function from attribute names to strings,        *)
(* children a tuple of elements and innerText its text. For no attributes,   *)
(* pass <<>>. Coordinates and sizes are integers.                            *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE Integers
LOCAL INSTANCE TLC
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE IOUtils

(* The element with the given tag, attributes, children and text. *)
SVGElem(_name, _attrs, _children, _innerText) ==
  [name |-> _name, innerText |-> _innerText,
   attrs |-> _attrs, children |-> _children]

(* A line from (x1, y1) to (x2, y2). *)
Line(x1, y1, x2, y2, attrs) ==
  LET ends == [x1 |-> ToString(x1), y1 |-> ToString(y1),
               x2 |-> ToString(x2), y2 |-> ToString(y2)]
  IN  SVGElem("line", ends @@ attrs, <<>>, "")

(* A circle of radius r around (cx, cy). *)
Circle(cx, cy, r, attrs) ==
  LET shape == [cx |-> ToString(cx), cy |-> ToString(cy), r |-> ToString(r)]
  IN  SVGElem("circle", shape @@ attrs, <<>>, "")

(* A rectangle of width w and height h with its top left corner at (x, y).   *)
Rect(x, y, w, h, attrs) ==
  LET shape == [x |-> ToString(x), y |-> ToString(y),
                width |-> ToString(w), height |-> ToString(h)]
  IN  SVGElem("rect", shape @@ attrs, <<>>, "")

(* The string text at (x, y). *)
Text(x, y, text, attrs) ==
  LET place == [x |-> ToString(x), y |-> ToString(y)]
  IN  SVGElem("text", place @@ attrs, <<>>, text)

(* The picture found at href, drawn in the given rectangle. *)
Image(x, y, width, height, href, attrs) ==
  LET shape == [x |-> ToString(x), y |-> ToString(y),
                width |-> ToString(width), height |-> ToString(height)]
  IN  SVGElem("image", (shape @@ ("xlink:href" :> href)) @@ attrs, <<>>, "")

(* The elements in the tuple children as one group. *)
Group(children, attrs) == SVGElem("g", attrs, children, "")

(* An SVG container for the elements in the tuple children. *)
Svg(children, attrs) == SVGElem("svg", attrs, children, "")

(* A complete document that shows children, one element (a Group, say), with *)
(* the visible area at (vbX, vbY) of width vbW and height vbH.               *)
SVGDoc(children, vbX, vbY, vbW, vbH, attrs) ==
  LET area  == ToString(vbX) \o " " \o ToString(vbY) \o " "
                 \o ToString(vbW) \o " " \o ToString(vbH)
      basic == [viewBox |-> area, xmlns |-> "http://www.w3.org/2000/svg"]
      links == "xmlns:xlink" :> "http://www.w3.org/1999/xlink"
  IN  Svg(<<children>>, (basic @@ links) @@ attrs)

(* The text of the element elem, ready to be written to a file. *)
SVGElemToString(elem) == NATIVE

(* The coordinates, as a record with fields x and y, of the n-th of m nodes  *)
(* spread evenly over the circle of radius r around (cx, cy).                *)
NodeOfRingNetwork(cx, cy, r, n, m) == NATIVE

(* A layout of the graph with the given nodes and edges (pairs of nodes): a  *)
(* function from nodes to records with fields x and y. options.algo names    *)
(* the layout algorithm.                                                     *)
NodesOfDirectedMultiGraph(nodes, edges, options) == NATIVE

(* The point on the line between the points from and to (records with fields *)
(* x and y) that is one segment-th of the way from the start.                *)
PointOnLine(from, to, segment) ==
  LET Between(a, b) == a + ((b - a) \div segment)
  IN  [x |-> Between(from.x, to.x), y |-> Between(from.y, to.y)]

(* Writes the element svg to a file whose name is frameNamePrefix followed   *)
(* by frameNumber (at least three digits) and ".svg". Equals the outcome of  *)
(* Serialize.                                                                *)
SVGSerialize(svg, frameNamePrefix, frameNumber) ==
  Serialize(SVGElemToString(svg),
            frameNamePrefix \o zeroPadN(frameNumber, 3) \o ".svg",
            [format      |-> "TXT",
             charset     |-> "UTF-8",
             openOptions |-> <<"WRITE", "CREATE", "TRUNCATE_EXISTING">>])
=============================================================================
