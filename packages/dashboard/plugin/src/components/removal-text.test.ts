import { expect, test } from 'vitest'
import { claimDeletionReasons } from '../../../../controllers/src/nodeclaim/claim-deletion.ts'
import { translatorFor } from '../locales/translate.ts'
import { removalText } from './removal-text.ts'

/** Removal reasons that come from the cloud. Providers report them. */
const CLOUD = [
  'capacity_block_expiring',
  'capacity_reservation_interrupted',
  'instance_stopped',
  'instance_terminated',
  'interruption',
  'scheduled_change',
  'spot_interrupted',
]

test.each([...claimDeletionReasons, ...CLOUD])('the reason %s of a removal has words in every language', (reason) => {
  const [english, ...others] = (['en', 'uk', 'zh'] as const).map((language) =>
    removalText(reason, translatorFor(language)),
  )
  expect(english).not.toContain('_')
  for (const text of others) expect(text).not.toMatch(/\b(?!NodePool\b|[Ss]pot\b)[A-Za-z]{3,}/)
})

test('an unknown reason is shown as the controller names it', () => {
  expect(removalText('moved_away', translatorFor('uk'))).toBe('moved_away')
})
