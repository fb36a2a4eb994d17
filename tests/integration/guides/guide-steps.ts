import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** One block of commands of a document. */
export interface GuideStep {
  /** The heading above the block. */
  readonly heading: string
  readonly commands: string
}

/** Returns the blocks marked `sh` of `docs/NAME.md` in order: the commands that a reader pastes into a shell. */
export const documentSteps = (name: string): readonly GuideStep[] => {
  const text = readFileSync(fileURLToPath(new URL(`../../../docs/${name}.md`, import.meta.url)), 'utf8')
  let heading = ''
  return text
    .matchAll(/^#+ (.+)$|^```sh\n([\s\S]*?)^```$/gm)
    .flatMap(([, title, commands]) => {
      if (title !== undefined) heading = title
      return commands === undefined ? [] : [{ heading, commands }]
    })
    .toArray()
}

/** Returns the blocks of `docs/guides/NAME.md`. */
export const guideSteps = (name: string): readonly GuideStep[] => documentSteps(`guides/${name}`)
