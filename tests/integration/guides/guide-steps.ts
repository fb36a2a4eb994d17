import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../tools/source-files.ts'
import { providerFiles } from '../../support/provider-files.ts'

/** One block of commands on a page. */
export interface GuideStep {
  /** The heading above the block. */
  readonly heading: string
  readonly commands: string
}

/**
 * Returns the text of `docs/NAME.md`, or of the page with that name in a provider's docs.
 * @throws Error if there is no such page
 */
export const documentText = (name: string): string => {
  const file = [join(root, `docs/${name}.md`), ...providerFiles(`docs/${name}.md`)].find((path) => existsSync(path))
  if (file === undefined) throw new Error(`there is no page ${name}`)
  return readFileSync(file, 'utf8')
}

/** Returns a page's code blocks that are marked `sh`, in order. A reader pastes them into a shell. */
export const documentSteps = (name: string): readonly GuideStep[] => {
  const text = documentText(name)
  let heading = ''
  return text
    .matchAll(/^#+ (.+)$|^```sh\n([\s\S]*?)^```$/gm)
    .flatMap(([, title, commands]) => {
      if (title !== undefined) heading = title
      return commands === undefined ? [] : [{ heading, commands }]
    })
    .toArray()
}

/** Returns the blocks of the guide `guides/NAME`. */
export const guideSteps = (name: string): readonly GuideStep[] => documentSteps(`guides/${name}`)
