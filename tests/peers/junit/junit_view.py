"""What junitparser reads of a JUnit file, as JSON. Runs in the environment of the peer, without dorosim.

Argument: the file.
"""

import json
import sys

from junitparser import Attr, JUnitXml, TestCase

TestCase.file = Attr("file")

suites = JUnitXml.fromfile(sys.argv[1])
print(
    json.dumps(
        [
            {
                "name": suite.name,
                "tests": suite.tests,
                "failures": suite.failures,
                "errors": suite.errors,
                "properties": {one.name: one.value for one in suite.properties()},
                "cases": [
                    {
                        "name": case.name,
                        "classname": case.classname,
                        "time": case.time,
                        "file": case.file,
                        "result": [[type(one).__name__, one.message, one.text] for one in case.result],
                    }
                    for case in suite
                ],
            }
            for suite in suites
        ]
    )
)
