import { importProviderExports } from '../../../support/provider-exports.ts'
import type { Story } from '../story.ts'
import { buffer } from './buffer.ts'
import { consolidation } from './consolidation.ts'
import { drift } from './drift.ts'
import { driftTakenBack } from './drift-taken-back.ts'
import { expiryWithGrace } from './expiry-with-grace.ts'
import { launch } from './launch.ts'
import { spotInterruption } from './spot-interruption.ts'
import { staticScaleDown } from './static-scale-down.ts'

/** The stories that the folder of each provider exports. */
const ofProviders = await importProviderExports<{ readonly stories: readonly Story[] }>('./testing/stories')

/** All stories, in the order of the report's rows. */
export const stories: readonly Story[] = [
  launch,
  spotInterruption,
  drift,
  driftTakenBack,
  consolidation,
  expiryWithGrace,
  staticScaleDown,
  buffer,
  ...ofProviders.flatMap((each) => each.stories),
]

/**
 * Returns the story with this name.
 * @throws Error if there is no such story
 */
export const storyNamed = (name: string): Story => {
  const story = stories.find((each) => each.name === name)
  if (story === undefined)
    throw new Error(
      `there is no story ${JSON.stringify(name)}; there are ${stories.map((each) => each.name).join(', ')}`,
    )
  return story
}
