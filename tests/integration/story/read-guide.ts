import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestCluster } from '@kerf/control-plane/testing'
import { expect, onTestFinished } from 'vitest'
import { root } from '../../../tools/source-files.ts'
import { GuideShell } from '../guides/guide-shell.ts'
import { documentSteps } from '../guides/guide-steps.ts'
import { KerfProcess } from './kerf-process.ts'
import { kerfCommand } from './start-kerf.ts'
import { emptied, realStory } from './story-cluster.ts'

/** Returns the YAML blocks of a guide, which a reader saves as files. */
export const yamlBlocks = (guide: string): readonly string[] =>
  [...readFileSync(join(root, `docs/${guide}.md`), 'utf8').matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(
    ([, text = '']) => text,
  )

/** Starts Kerf on an emptied control plane, and a shell for the reader of guides. Both stop after the test. */
export const readGuide = async (shared: TestCluster, ...guides: readonly string[]) => {
  const plane = await emptied(shared)
  const cluster = await realStory(plane, async () => {
    const kerf = KerfProcess.start(plane.kubeconfig, ['--disable-leader-election', '--log-format=json'], {
      SYSTEM_NAMESPACE: 'kube-system',
    })
    return async () => {
      await kerf.stop()
    }
  })
  onTestFinished(() => cluster.close())
  const shell = new GuideShell({ kubectl: [plane.kubectlPath], kerf: kerfCommand }, { KUBECONFIG: plane.kubeconfig })
  onTestFinished(() => shell.close())
  const steps = guides.flatMap((guide) => documentSteps(guide))
  return {
    cluster,
    shell,
    steps,
    /** Saves a file, as the guide tells the reader. */
    save: (file: string, text: string): void => writeFileSync(join(shell.directory, file), text),
    /** Runs the only step that contains the text. */
    follow: async (text: string): Promise<string> => {
      const [found, ...others] = steps.filter(({ commands }) => commands.includes(text))
      expect(others, text).toEqual([])
      return found === undefined ? expect.fail(`no step ${text}`) : await shell.run(found)
    },
    /** Runs a command that is not in the guide. A command that says that pods wait exits with code 3, which is expected. */
    ask: (commands: string): Promise<string> =>
      shell.run({ heading: 'a question', commands: `${commands} || [ $? = 3 ]` }),
  }
}
