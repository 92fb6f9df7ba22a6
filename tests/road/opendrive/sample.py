"""Small OpenDRIVE files."""

from __future__ import annotations

import math

from dorosim.road.opendrive.reader import read_opendrive
from dorosim.road.opendrive.record import OpenDriveMap

LINE = '<geometry s="0" x="0" y="0" hdg="0" length="100"><line/></geometry>'
LANES = """
<laneSection s="0">
  <left><lane id="1" type="driving" level="false"><width sOffset="0" a="3" b="0" c="0" d="0"/></lane></left>
  <center><lane id="0" type="none" level="false"/></center>
  <right><lane id="-1" type="driving" level="false"><width sOffset="0" a="4" b="0" c="0" d="0"/></lane></right>
</laneSection>
"""


def document(*parts: str, header: str = '<header revMajor="1" revMinor="8"/>') -> bytes:
    """A file of some roads, junctions and controllers."""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<OpenDRIVE>{header}{"".join(parts)}</OpenDRIVE>'.encode()


def road(
    plan: str = LINE,
    lanes: str = LANES,
    length: float = 100.0,
    attributes: str = 'id="1" junction="-1"',
    profiles: str = "",
    more: str = "",
) -> str:
    """A road; by default a straight one to the east with a lane on each side."""
    return (
        f'<road name="" length="{length}" {attributes}><planView>{plan}</planView>{profiles}'
        f"<lanes>{lanes}</lanes>{more}</road>"
    )


def town(*parts: str, **header: str) -> OpenDriveMap:
    """What is read of a file of these parts."""
    return read_opendrive("sample.xodr", document(*parts, **header))


_JUNCTION = """<junction id="9">
<connection id="0" incomingRoad="1" connectingRoad="11" contactPoint="start"><laneLink from="-1" to="-1"/></connection>
<connection id="1" incomingRoad="2" connectingRoad="12" contactPoint="start"><laneLink from="-1" to="-1"/></connection>
{}</junction>"""
_ONE_LANE = """<laneSection s="0"><center><lane id="0" type="none"/></center><right>
<lane id="-1" type="driving"><width sOffset="0" a="4" b="0" c="0" d="0"/></lane></right></laneSection>"""


def line(x: float, y: float, heading: float, length: float) -> str:
    """A straight piece of a reference line."""
    return f'<geometry s="0" x="{x}" y="{y}" hdg="{heading}" length="{length}"><line/></geometry>'


def crossing(
    into: str = "", inside: str = "", priority: str = "", speeds: tuple[str, str] = ("", "")
) -> tuple[str, ...]:
    """Road 1 goes east and road 2 north; they cross by roads 11 and 12. `into` and `inside` are on roads 2 and 12."""
    up = math.pi / 2
    link = '<link><successor elementType="junction" elementId="9"/></link>'
    back = '<link><predecessor elementType="road" elementId="{}" contactPoint="end"/></link>'
    return (
        road(line(-100, 2, 0, 80), _ONE_LANE, 80.0, 'id="1" junction="-1"', more=link + speeds[0]),
        road(line(-2, -100, up, 80), _ONE_LANE, 80.0, 'id="2" junction="-1"', more=link + speeds[1] + into),
        road(line(-20, 2, 0, 40), _ONE_LANE, 40.0, 'id="11" junction="9"', more=back.format(1)),
        road(line(-2, -20, up, 40), _ONE_LANE, 40.0, 'id="12" junction="9"', more=back.format(2) + inside),
        _JUNCTION.format(priority),
    )


_EVERY_GEOMETRY = """
<geometry s="0" x="0" y="0" hdg="0" length="10"><line/></geometry>
<geometry s="10" x="10" y="0" hdg="0" length="20"><spiral curvStart="0" curvEnd="0.02"/></geometry>
<geometry s="30" x="29.92" y="1.33" hdg="0.2" length="10"><arc curvature="0.02"/></geometry>
<geometry s="40" x="39.5" y="4.2" hdg="0.4" length="20"><poly3 a="0" b="0" c="0.001" d="-0.0001"/></geometry>
<geometry s="60" x="57" y="12" hdg="0.4" length="20.2">
  <paramPoly3 pRange="arcLength" aU="0" bU="1" cU="0" dU="0" aV="0" bV="0" cV="0.004" dV="0"/>
</geometry>
<geometry s="80.2" x="75" y="20" hdg="0.5" length="19.8">
  <paramPoly3 pRange="normalized" aU="0" bU="19.8" cU="0" dU="0" aV="0" bV="0" cV="0.5" dV="-0.2"/>
</geometry>
"""

_EVERY_PROFILE = """
<elevationProfile>
  <elevation s="0" a="1" b="0.01" c="0" d="0"/><elevation s="50" a="1.5" b="0.01" c="0.0001" d="-0.000001"/>
</elevationProfile>
<lateralProfile>
  <superelevation s="0" a="0.02" b="0.0001" c="0" d="0"/>
  <crossfall side="both" s="0" a="0.01" b="0" c="0" d="0"/>
  <shape s="0" t="-8" a="0" b="0.01" c="0" d="0"/><shape s="0" t="0" a="0.08" b="-0.01" c="0" d="0"/>
  <shape s="60" t="-8" a="0" b="0" c="0" d="0"/>
  <crossSectionSurface><tOffset><coefficients s="0" a="0.1"/></tOffset><surfaceStrips>
    <strip id="1"><width><coefficients s="0" a="2"/></width><linear><coefficients s="0" a="-0.02"/></linear></strip>
    <strip id="2" mode="independent"><constant><coefficients s="0" a="-0.04"/></constant></strip>
    <strip id="-1"><quadratic><coefficients s="0" c="0.00001"/></quadratic><cubic><coefficients s="0"/></cubic></strip>
  </surfaceStrips></crossSectionSurface>
</lateralProfile>
"""

_EVERY_LANE = """
<laneOffset s="0" a="0" b="0" c="0" d="0"/><laneOffset s="20" a="0" b="0" c="0.01" d="-0.0001"/>
<laneSection s="0">
  <left>
    <lane id="2" type="sidewalk" level="true">
      <link><successor id="2"/></link>
      <border sOffset="0" a="5" b="0" c="0" d="0"/>
      <height sOffset="0" inner="0.12" outer="0.15"/>
    </lane>
    <lane id="1" type="driving" level="false" direction="reversed">
      <link><predecessor id="1"/><successor id="1"/></link>
      <width sOffset="0" a="3" b="0.01" c="0" d="0"/><border sOffset="0" a="9" b="0" c="0" d="0"/>
    </lane>
  </left>
  <center>
    <lane id="0" type="none">
      <roadMark sOffset="0" type="solid solid" weight="standard" color="yellow" width="0.12" laneChange="none">
        <sway ds="0" a="0.1" b="0" c="0" d="0"/>
        <type name="double" width="0.12">
          <line length="3" space="6" tOffset="0.1" sOffset="0" rule="no passing" width="0.12"/>
        </type>
        <explicit><line length="2" tOffset="0" sOffset="1" rule="caution"/></explicit>
      </roadMark>
    </lane>
  </center>
  <right>
    <lane id="-1" type="driving">
      <width sOffset="0" a="3" b="0" c="0" d="0"/><width sOffset="30" a="3" b="0" c="0.001" d="0"/>
      <material sOffset="0" surface="asphalt" friction="0.9" roughness="0.01"/>
      <speed sOffset="0" max="50" unit="km/h"/><speed sOffset="10" max="no limit"/>
      <access sOffset="0" rule="allow" restriction="bus"/>
      <access sOffset="5" rule="deny"><restriction type="trucks"/><restriction type="bicycle"/></access>
      <roadMark sOffset="0" type="broken" laneChange="increase"/>
    </lane>
    <lane id="-2" type="parking"><border sOffset="0" a="-7" b="0" c="0" d="0"/></lane>
  </right>
</laneSection>
<laneSection s="60" singleSide="true">
  <left><lane id="1" type="driving"><width sOffset="0" a="3.6" b="0" c="0" d="0"/></lane></left>
  <center><lane id="0" type="none"/></center>
</laneSection>
"""

_EVERY_OBJECT = """
<objects>
  <object id="7" type="crosswalk" name="x" s="20" t="0" zOffset="0" hdg="1.57" pitch="0" roll="0" length="8" width="3">
    <outlines><outline id="1" closed="true" fillType="paint">
      <cornerLocal u="0" v="0" z="0" height="0" id="1"/><cornerRoad s="21" t="2" dz="0" height="0" id="2"/>
    </outline></outlines>
    <markings><marking side="left" weight="bold" width="0.3" color="white" lineLength="0.5" spaceLength="0.5">
      <cornerReference id="1"/><cornerReference id="2"/>
    </marking></markings>
    <borders><border width="0.2" type="concrete" outlineId="1"/></borders>
    <validity fromLane="-2" toLane="1"/>
  </object>
  <object id="8" type="pole" s="5" t="6" orientation="+" radius="0.2" height="5">
    <repeat s="5" length="80" distance="20" tStart="6" tEnd="7" heightStart="5" heightEnd="5"/>
    <outline><cornerLocal u="1" v="1" z="0" height="2"/></outline>
  </object>
  <object id="9" type="parkingSpace" s="50" t="-5"><parkingSpace access="women" restrictions="none"/></object>
  <objectReference id="8" s="1" t="2" orientation="-"/>
  <tunnel id="t" s="10" length="5" lighting="0.3" daylight="0.1"/><bridge id="b" s="40" length="9" type="steel"/>
</objects>
<signals>
  <signal id="s1" s="90" t="-5" dynamic="yes" orientation="+" zOffset="3" country="DEU" type="1000001" value="">
    <validity fromLane="-1" toLane="-1"/><dependency id="s2" type="lamp"/>
    <reference elementId="8" elementType="object" type="pole"/>
    <positionInertial x="91" y="-5" z="3" hdg="0.1"/>
  </signal>
  <signal id="s2" s="10" t="5" dynamic="no" orientation="-" type="274" subtype="50" value="50" unit="km/h">
    <positionRoad roadId="2" s="3" t="4"/>
  </signal>
  <signalReference id="s1" s="80" t="-5" orientation="+"/>
</signals>
<surface><CRG file="a.crg" sStart="0" sEnd="9" orientation="same" mode="attached"/></surface>
<railroad/><railroad/>
"""


def every_element() -> bytes:
    """A file with every element that is read, and some that are not."""
    links = """<link><predecessor elementType="junction" elementId="10"/>
      <successor elementType="road" elementId="2" contactPoint="start"/></link>"""
    kinds = '<type s="0" type="town" country="KOR"><speed max="60" unit="mph"/></type>'
    first = road(
        plan=_EVERY_GEOMETRY,
        lanes=_EVERY_LANE,
        attributes='id="1" junction="-1" rule="RHT"',
        profiles=_EVERY_PROFILE,
        more=links + kinds + _EVERY_OBJECT,
    )
    second = road(attributes='id="2" junction="10" rule="LHT"')
    junction = """
    <junction id="10" name="j" type="default">
      <connection id="0" incomingRoad="1" connectingRoad="2" contactPoint="start">
        <laneLink from="-1" to="-1"/>
      </connection>
      <priority high="2" low="1"/><controller id="c" type="0" sequence="1"/>
    </junction>
    <junction id="11" type="virtual" mainRoad="1" sStart="3" sEnd="9" orientation="+">
      <connection id="0" type="virtual"/>
    </junction>
    <junction id="13" type="virtual" mainRoad="1" sStart="3" sEnd="9">
      <crossPath id="0" crossingRoad="2" roadAtStart="1" roadAtEnd="1">
        <startLaneLink s="5" from="2" to="-1"/><endLaneLink s="5" from="-2" to="-1"/>
      </crossPath>
      <boundary/>
    </junction>
    <junction id="12" type="direct">
      <connection id="0" incomingRoad="1" linkedRoad="2" contactPoint="end"/>
    </junction>
    """
    controller = '<controller id="c" name="k" sequence="0"><control signalId="s1" type="0"/></controller>'
    header = """<header revMajor="1" revMinor="8" name="n" north="1" south="-1" east="2" west="-2">
      <geoReference><![CDATA[+proj=tmerc +lat_0=37 +lon_0=127]]></geoReference>
      <offset x="100" y="200" z="3" hdg="0.5"/></header>"""
    return document(first, second, junction, controller, header=header)
