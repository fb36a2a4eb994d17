import { expect, test } from 'vitest'
import { isStaticallyDrifted } from './static-drift.ts'

const KEYS = { hash: 'cloud.example/serverclass-hash', version: 'cloud.example/serverclass-hash-version' }

const marked = (hash?: string, version?: string) => ({
  annotations: {
    ...(hash === undefined ? {} : { 'cloud.example/serverclass-hash': hash }),
    ...(version === undefined ? {} : { 'cloud.example/serverclass-hash-version': version }),
  },
})

test.each([
  ['another hash', marked('1', 'v6'), marked('2', 'v6'), true],
  ['the same hash', marked('1', 'v6'), marked('1', 'v6'), false],
  ['another version', marked('1', 'v5'), marked('2', 'v6'), false],
  ['no hash on the claim', marked(undefined, 'v6'), marked('2', 'v6'), false],
  ['no hash on the class', marked('1', 'v6'), marked(undefined, 'v6'), false],
  ['no version on the claim', marked('1'), marked('2', 'v6'), false],
  ['no version at all', marked('1'), marked('2'), false],
  ['no annotations', {}, {}, false],
])('%s', (_, claim, nodeClass, drifted) => {
  expect(isStaticallyDrifted(KEYS, claim, nodeClass)).toBe(drifted)
})
