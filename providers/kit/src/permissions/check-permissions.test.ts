import { describe, expect, test } from 'vitest'
import { checkPermissions, type Grant } from './check-permissions.ts'
import { permissionPurposes } from './permission-statement.ts'

const needed = permissionPurposes([
  { capability: 'launch', actions: ['servers.create', 'servers.delete'] },
  { capability: 'prices', actions: ['prices.list'] },
  { capability: 'watch', actions: ['servers.delete', 'servers.create', 'servers.create'] },
])

const grant = (actions: readonly string[], more: Partial<Grant> = {}): Grant => ({
  ...{ isAllowed: true, isInverted: false, isLimited: false },
  actions,
  ...more,
})
const missingActions = (...grants: readonly Grant[]) =>
  checkPermissions(needed, grants).missing.map(({ action }) => action)

test('each action lists the capabilities that use it', () => {
  expect([...needed]).toEqual([
    ['servers.create', ['launch', 'watch']],
    ['servers.delete', ['launch', 'watch']],
    ['prices.list', ['prices']],
  ])
  expect(checkPermissions(needed, []).missing).toContainEqual({
    action: 'servers.create',
    capabilities: ['launch', 'watch'],
    denied: false,
  })
})

describe('patterns', () => {
  test('* matches any text and ? any character, case-insensitively; everything else is literal', () => {
    expect(missingActions(grant(['*']))).toEqual([])
    expect(missingActions(grant(['SERVERS.*', 'prices.l?st']))).toEqual([])
    expect(missingActions(grant(['servers']), grant(['serversXcreate']))).toHaveLength(3)
    expect(missingActions(grant(['server.?reate+(', '*.list']))).toEqual(['servers.create', 'servers.delete'])
  })

  test('a list of exceptions allows everything else', () => {
    expect(missingActions(grant(['servers.*'], { isInverted: true }))).toEqual(['servers.create', 'servers.delete'])
  })

  test('a grant may allow what another grant excludes', () => {
    const most = grant(['*'], { except: ['servers.d*'] })
    expect(missingActions(most)).toEqual(['servers.delete'])
    expect(missingActions(most, grant(['servers.delete']))).toEqual([])
  })
})

test('a denial overrides a permission; a limited denial makes the result uncertain', () => {
  const all = grant(['*'])
  const denial = grant(['prices.*'], { isAllowed: false })
  expect(checkPermissions(needed, [all, denial])).toMatchObject({
    missing: [{ action: 'prices.list', denied: true }],
    limited: [],
  })
  expect(checkPermissions(needed, [all, { ...denial, isLimited: true }])).toMatchObject({
    missing: [],
    limited: ['prices.list'],
  })
})

test('an action that is allowed only for some resources is reported, unless a grant allows it everywhere', () => {
  const some = grant(['*'], { isLimited: true })
  expect(checkPermissions(needed, [some]).limited).toEqual([...needed.keys()])
  expect(checkPermissions(needed, [some, grant(['servers.*'])]).limited).toEqual(['prices.list'])
})

test('an allowed action that is never used is reported once; denials and exceptions are not reported', () => {
  const { unused } = checkPermissions(needed, [
    grant(['disks.*', 'servers.*', 'disks.*']),
    grant(['users.*'], { isAllowed: false }),
    grant(['names.*'], { isInverted: true }),
  ])
  expect(unused).toEqual(['disks.*'])
})
