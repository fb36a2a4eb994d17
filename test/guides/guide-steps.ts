import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** One block of commands of a guide. */
export interface GuideStep {
  /** The heading that it stands under. */
  readonly heading: string
  readonly commands: string
}

/** The blocks marked `sh` of `docs/guides/NAME.md`, in their order: what a reader pastes into a shell. */
export const guideSteps = (name: string): readonly GuideStep[] => {
  const text = readFileSync(fileURLToPath(new URL(`../../docs/guides/${name}.md`, import.meta.url)), 'utf8')
  let heading = ''
  return text
    .matchAll(/^#+ (.+)$|^```sh\n([\s\S]*?)^```$/gm)
    .flatMap(([, title, commands]) => {
      if (title !== undefined) heading = title
      return commands === undefined ? [] : [{ heading, commands }]
    })
    .toArray()
}
