#!/usr/bin/python
# Copyright: The httpd-codemod authors
# SPDX-License-Identifier: Apache-2.0
# What ansible-doc prints. The work is done on the controller, by the action plugin of the same name.
from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
module: httpd_codemod
short_description: Converts the configuration of Apache httpd 2.2 for 2.4
version_added: 0.1.0
description:
  - Shows what httpd 2.4 needs changed, and writes it, all files or none, with a journal. Then httpd tests the result. Where it
    refuses it, all is put back.
  - Runs C(httpd-codemod) on the host. Where the host does not have it, the configuration is packed there by a shell script,
    converted on the controller, and put back. In either way the host needs a POSIX shell with C(tar), and no Python.
  - Whatever is not decided yet is left as it is, and named; a blocker makes the task fail before anything is written.
author: The httpd-codemod authors (@httpd-codemod)
options:
  paths:
    description:
      - The configuration, as for the command, by absolute paths. They are one server.
      - Without any, the server of the host. On the way through the controller, that is the only one; a single file is then its
        main configuration file.
    type: list
    elements: str
    default: []
  state:
    description:
      - C(converted) converts. C(undone) takes back what the last task with C(converted) has written.
    type: str
    choices: [converted, undone]
    default: converted
  answers:
    description:
      - Answers to what is asked or assumed, as C(--answer) takes them, by their keys. C(yes) and C(no) may be booleans.
    type: dict
    default: {}
  options:
    description:
      - More options of the command, such as C(--pin-defaults) or C(--follow).
    type: list
    elements: str
    default: []
  blockers:
    description:
      - Whether a host with a blocker fails with nothing written, or is written as far as it goes. In check mode it does not fail,
        but warns.
    type: str
    choices: [fail, write]
    default: fail
  reviewed:
    description:
      - The C(fingerprint) that an earlier run in check mode has returned. Where the changes are others by now, nothing is written.
    type: str
  configtest:
    description:
      - The command that tests the result, for a shell on the host. C(auto) is C(-t) of the first that is there of C(apachectl),
        C(httpd) and C(apache2ctl), or with paths below C(/etc/apache2) of C(apache2ctl), C(apachectl) and C(httpd). It must be a
        2.4. An empty text tests nothing.
      - It is asked where nothing is to be written, too.
    type: str
    default: auto
  steps:
    description:
      - The directory of the server configuration, such as C(/etc/apache2), to have the steps done there that are no changes of text
        (C(--format sh)), before the test. Without it they are returned, and not done.
    type: str
  via:
    description:
      - C(host) runs the command there, C(controller) converts on the controller, C(auto) looks whether the host has the command.
    type: str
    choices: [auto, host, controller]
    default: auto
  command:
    description: The command on the host.
    type: str
    default: httpd-codemod
  controller_command:
    description: The command on the controller.
    type: str
    default: httpd-codemod
  report:
    description:
      - A file on the controller for the report in JSON, in check mode, too, for C(httpd-codemod report merge). After a write it says
        what is left. A host that failed is one that could not be judged, with the reason.
    type: path
attributes:
  check_mode:
    support: full
    description: Nothing is written, and the diff is the one that would be.
  diff_mode:
    support: full
    description: The diff is the one that the command prints.
"""

EXAMPLES = r"""
- name: Look
  httpd_codemod.fleet.httpd_codemod:
    paths: [/etc/httpd]
    report: reports/web/{{ inventory_hostname }}.json
  check_mode: true

- name: Convert
  httpd_codemod.fleet.httpd_codemod:
    paths: [/etc/httpd]
    answers:
      served-as: true
      php: fpm:/run/php-fpm/www.sock
    options: [--pin-defaults, --follow]

- name: Convert in place what Debian's package has left, with its steps
  httpd_codemod.fleet.httpd_codemod:
    paths: [/etc/apache2]
    steps: /etc/apache2

- name: Take it back
  httpd_codemod.fleet.httpd_codemod:
    state: undone
"""

RETURN = r"""
httpd_codemod:
  description: The same as below, as a fact of the host.
  type: dict
  returned: success
verdict:
  description: What changes, and what becomes of the server with it.
  type: list
  elements: str
  returned: always
files:
  description: The files that are changed.
  type: list
  elements: str
  returned: always
changes:
  description: How many changes there are.
  type: int
  returned: always
blockers:
  description: What keeps 2.4 from starting, or changes who gets in, each with C(text), C(command) and C(places).
  type: list
  elements: dict
  returned: always
questions:
  description: What else a person must look at, in the same form.
  type: list
  elements: dict
  returned: always
assumptions:
  description: What is assumed, each with the C(key) to answer it by, C(text), C(findings), and C(answer) where there is one.
  type: list
  elements: dict
  returned: always
steps:
  description: The script of the steps that are no changes of text; empty where there is none.
  type: str
  returned: always
fingerprint:
  description: What the changes are known by, for C(reviewed).
  type: str
  returned: always
via:
  description: C(host) or C(controller).
  type: str
  returned: always
outcome:
  description:
    - C(nothing) was to be done, C(looked) in check mode, C(written), C(refused) with nothing changed, C(undone) with all put back,
      C(stuck) where something was in the way of that and a person must look.
  type: str
  returned: always
log:
  description: What the commands said.
  type: list
  elements: str
  returned: when something was written, or should have been
"""
