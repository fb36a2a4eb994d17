import { nodeClaim } from '@kerf/testing'
import { expect, test } from 'vitest'
import { claimUid } from './claim-uid.ts'

test('a claim without a uid cannot be launched, because its instance could not be found again', () => {
  expect(claimUid(nodeClaim('a', { metadata: { uid: 'uid-1' } }))).toBe('uid-1')
  for (const uid of [undefined, '']) {
    const { metadata, ...claim } = nodeClaim('a')
    const { uid: _uid, ...rest } = metadata
    const without = { ...claim, metadata: uid === undefined ? rest : { ...rest, uid } }
    expect(() => claimUid(without)).toThrow(
      expect.objectContaining({ reason: 'LaunchFailed', conditionMessage: 'nodeclaim a has no uid yet' }),
    )
  }
})
