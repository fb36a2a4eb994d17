import { expect, test } from 'vitest'
import { ownerOf } from './owner-of.ts'

test('what the tags of an instance do not say is left out', () => {
  expect(ownerOf({ claim: 'a', uid: 'uid-1', pool: 'web' })).toStrictEqual({
    ...{ nodeClaimName: 'a', nodeClaimUid: 'uid-1', nodePool: 'web' },
  })
  expect(ownerOf({ uid: 'uid-1', pool: undefined })).toStrictEqual({ nodeClaimUid: 'uid-1' })
  expect(ownerOf({})).toStrictEqual({})
})
