import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** One block of commands of a document. */
export interface GuideStep {
  /** The heading that it stands under. */
  readonly heading: string
  readonly commands: string
}

/** The blocks marked `sh` of `docs/NAME.md`, in their order: what a reader pastes into a shell. */
export const documentSteps = (name: string): readonly GuideStep[] => {
  const text = readFileSync(fileURLToPath(new URL(`../../docs/${name}.md`, import.meta.url)), 'utf8')
  let heading = ''
  return text
    .matchAll(/^#+ (.+)$|^```sh\n([\s\S]*?)^```$/gm)
    .flatMap(([, title, commands]) => {
      if (title !== undefined) heading = title
      return commands === undefined ? [] : [{ heading, commands }]
    })
    .toArray()
}

/** Those of `docs/guides/NAME.md`. */
export const guideSteps = (name: string): readonly GuideStep[] => documentSteps(`guides/${name}`)
