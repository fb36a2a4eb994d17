import { describe, expect, test } from 'vitest'
import { checkPermissions, type Grant } from './check-permissions.ts'
import { purposesOf } from './permission-statement.ts'

const needed = purposesOf([
  { capability: 'launch', actions: ['servers.create', 'servers.delete'] },
  { capability: 'prices', actions: ['prices.list'] },
  { capability: 'watch', actions: ['servers.delete', 'servers.create', 'servers.create'] },
])

const grant = (actions: readonly string[], more: Partial<Grant> = {}): Grant => ({
  ...{ isAllowed: true, isInverted: false, isLimited: false },
  actions,
  ...more,
})
const missingOf = (...grants: readonly Grant[]) => checkPermissions(needed, grants).missing.map(({ action }) => action)

test('each action is for the capabilities that take it', () => {
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
  test('* is any text and ? any character, in any case; all else is itself', () => {
    expect(missingOf(grant(['*']))).toEqual([])
    expect(missingOf(grant(['SERVERS.*', 'prices.l?st']))).toEqual([])
    expect(missingOf(grant(['servers']), grant(['serversXcreate']))).toHaveLength(3)
    expect(missingOf(grant(['server.?reate+(', '*.list']))).toEqual(['servers.create', 'servers.delete'])
  })

  test('a list of exceptions allows all others', () => {
    expect(missingOf(grant(['servers.*'], { isInverted: true }))).toEqual(['servers.create', 'servers.delete'])
  })

  test('what a grant leaves out another one may allow', () => {
    const most = grant(['*'], { except: ['servers.d*'] })
    expect(missingOf(most)).toEqual(['servers.delete'])
    expect(missingOf(most, grant(['servers.delete']))).toEqual([])
  })
})

test('a denial counts more than a permission, one that is limited only casts doubt', () => {
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

test('what holds for some resources only is said, unless something allows it everywhere', () => {
  const some = grant(['*'], { isLimited: true })
  expect(checkPermissions(needed, [some]).limited).toEqual([...needed.keys()])
  expect(checkPermissions(needed, [some, grant(['servers.*'])]).limited).toEqual(['prices.list'])
})

test('what is allowed and never used is named once; denials and exceptions are not', () => {
  const { unused } = checkPermissions(needed, [
    grant(['disks.*', 'servers.*', 'disks.*']),
    grant(['users.*'], { isAllowed: false }),
    grant(['names.*'], { isInverted: true }),
  ])
  expect(unused).toEqual(['disks.*'])
})
