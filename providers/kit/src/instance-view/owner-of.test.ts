import { expect, test } from 'vitest'
import { instanceOwner } from './owner-of.ts'

test('owner fields that the tags do not contain are left out', () => {
  expect(instanceOwner({ claim: 'a', uid: 'uid-1', pool: 'web' })).toStrictEqual({
    ...{ nodeClaimName: 'a', nodeClaimUid: 'uid-1', nodePool: 'web' },
  })
  expect(instanceOwner({ uid: 'uid-1', pool: undefined })).toStrictEqual({ nodeClaimUid: 'uid-1' })
  expect(instanceOwner({})).toStrictEqual({})
})
