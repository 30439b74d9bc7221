#!/usr/bin/env node
require('../dist/httpd-codemod.cjs');
