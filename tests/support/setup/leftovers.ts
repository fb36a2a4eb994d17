import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { untilTrue } from '@kerf/control-plane/progress'
import { afterAll, expect } from 'vitest'
import { currentHoldings, listeningPorts } from '../leftovers/holdings.ts'
import { leftovers, leftoversMessage } from '../leftovers/leftovers.ts'

// Each test file gets its own temporary folder, so that all files left in it come from this test file.
const outer = process.env['TMPDIR']
const parent = process.env['KERF_TEST_TMP'] ?? tmpdir()
mkdirSync(parent, { recursive: true })
const own = mkdtempSync(join(parent, 't-'))
process.env['TMPDIR'] = own
const before = currentHoldings(own)

// Vitest runs the last registered hook first, so this hook runs after those of the test file.
afterAll(async () => {
  let found: readonly string[] = []
  const isClean = (): boolean => {
    found = leftovers(before, currentHoldings(own))
    return found.length === 0
  }
  // The system needs a moment to end resources after they are closed. If nothing is left, the hook does not wait.
  const wait = { what: 'the end of what was closed', quietSeconds: 10, everyMs: 10 }
  await untilTrue(isClean, { ...wait, fingerprint: () => found.join() }).catch(() => undefined)
  if (outer === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = outer
  rmSync(own, { recursive: true, force: true })
  if (found.length === 0) return
  const file = relative(process.cwd(), expect.getState().testPath ?? '')
  const listens = found.some((each) => each.includes('listens on a port'))
  throw new Error(leftoversMessage(file, found, listens ? listeningPorts() : []))
})
