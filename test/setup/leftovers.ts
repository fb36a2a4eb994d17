import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, expect } from 'vitest'
import { currentHoldings, listeningPorts } from '../leftovers/holdings.ts'
import { leftovers, leftoversMessage } from '../leftovers/leftovers.ts'

/** What was closed needs a moment until the system has ended it. Nobody waits when nothing is left. */
const LOOK_AGAIN_AFTER = 10
const LOOKS = 300

// Every file has a temporary folder of its own, so that what is left in it is this file's.
const outer = process.env['TMPDIR']
const parent = process.env['KERF_TEST_TMP'] ?? tmpdir()
mkdirSync(parent, { recursive: true })
const own = mkdtempSync(join(parent, 't-'))
process.env['TMPDIR'] = own
const before = currentHoldings(own)

// Vitest runs the last registered hook first, so this one runs after those of the file.
afterAll(async () => {
  let found = leftovers(before, currentHoldings(own))
  for (let looks = 1; found.length > 0 && looks < LOOKS; looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_AFTER))
    found = leftovers(before, currentHoldings(own))
  }
  if (outer === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = outer
  rmSync(own, { recursive: true, force: true })
  if (found.length === 0) return
  const file = relative(process.cwd(), expect.getState().testPath ?? '')
  const listens = found.some((each) => each.includes('listens on a port'))
  throw new Error(leftoversMessage(file, found, listens ? listeningPorts() : []))
}, 60_000)
