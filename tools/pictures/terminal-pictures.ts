import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { karpenterKinds, kinds } from '@kerf/apis'
import { styleFor } from '@kerf/provider-kit/terminal'
import { stringify } from 'yaml'
import { renderView } from '../../packages/cli/src/up/render-view.ts'
import { root } from '../source-files.ts'
import { terminalPicture } from '../terminal-picture.ts'
import type { DayCluster } from './day-cluster.ts'

const WIDTH = 120
const ROWS = 42
/** The simulated age of the cluster in the pictures. */
const DAY_SECONDS = 86_400
/** The NodePool that `kerf plan` changes in a picture. */
const CHANGED_POOL = 'payments'
const SIZE = 'karpenter.kwok.sh/instance-cpu'

interface Command {
  readonly name: string
  readonly args: readonly string[]
}

/** The picture of the screen of `kerf up`. It shows the same cluster as the output of the other commands. */
const UP = 'up'
const commandsFor = (names: {
  readonly kept: string
  readonly removed: string
  readonly change: string
}): readonly Command[] => [
  { name: 'plan', args: ['plan', '-f', 'examples/ec2', '--instance-types', 'aws', '--explain-cost'] },
  { name: 'explain-pod', args: ['explain', 'pod', 'shop/index-rebuild'] },
  { name: 'explain-node', args: ['explain', `node/${names.kept}`] },
  { name: 'plan-change', args: ['plan', '--change', names.change] },
  { name: 'simulate-remove', args: ['simulate', 'remove', 'node', names.removed] },
]

/** The names of the terminal pictures. */
export const terminalPictures: readonly string[] = [
  UP,
  ...commandsFor({ kept: '', removed: '', change: '' }).map(({ name }) => name),
].map((name) => `${name}.svg`)

const ran = (args: readonly string[], kubeconfig: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, KUBECONFIG: kubeconfig, FORCE_COLOR: '1', COLUMNS: String(WIDTH) }
    const main = join(root, 'packages', 'cli', 'src', 'main.ts')
    // The commands may exit with code 3, which means that no node can run a pod or that a node is kept.
    execFile(process.execPath, [main, ...args], { cwd: root, env, timeout: 240_000 }, (error, stdout, stderr) => {
      if (error !== null && error.code !== 3) reject(new Error(`kerf ${args.join(' ')}: ${stderr}`))
      else resolve(stdout)
    })
  })

const shownArgs = (args: readonly string[], change: string): string =>
  args.map((arg) => (arg === change ? `${CHANGED_POOL}.yaml` : arg)).join(' ')

/** Returns the NodePool `payments`, changed so that it only launches larger nodes. */
const changedPool = async (cluster: DayCluster): Promise<object> => {
  const { apiVersion, kind, spec } = await cluster.client.get(karpenterKinds.NodePool, { name: CHANGED_POOL })
  const requirements = [
    ...(spec.template.spec.requirements ?? []).filter(({ key }) => key !== SIZE),
    { key: SIZE, operator: 'In', values: ['16'] },
  ]
  const template = { ...spec.template, spec: { ...spec.template.spec, requirements } }
  return { apiVersion, kind, metadata: { name: CHANGED_POOL }, spec: { ...spec, template } }
}

/** Shortens long output, but keeps enough lines to show how it continues. */
const cut = (lines: readonly string[]): readonly string[] =>
  lines.length <= ROWS ? lines : [...lines.slice(0, ROWS - 1), `… ${lines.length - ROWS + 1} more lines`]

/** Writes the pictures of the terminal to the directory. `wanted` limits which pictures are written. */
export const takeTerminalPictures = async (
  cluster: DayCluster,
  scratch: string,
  directory: string,
  wanted: (name: string) => boolean,
  print: (line: string) => void,
): Promise<void> => {
  const pods = (await cluster.client.list(kinds.Pod)).items
  const nodeOfPod = (app: string): string =>
    pods.find(({ metadata, spec }) => metadata.labels?.['app'] === app && spec.nodeName !== undefined)?.spec.nodeName ??
    ''
  const byNode = Map.groupBy(
    pods.filter(({ metadata }) => metadata.namespace === 'shop'),
    ({ spec }) => spec.nodeName ?? '',
  )
  byNode.delete('')
  const [removed = ''] = [...byNode].toSorted(([, a], [, b]) => b.length - a.length)[0] ?? []
  const change = join(scratch, `${CHANGED_POOL}.yaml`)
  writeFileSync(change, stringify(await changedPool(cluster)))

  const write = (name: string, title: string, lines: readonly string[]): void => {
    writeFileSync(join(directory, `${name}.svg`), terminalPicture(title, cut(lines)))
    print(`${name}.svg`)
  }
  if (wanted(UP)) {
    const style = styleFor({ write: () => true, isTTY: true } as never, { FORCE_COLOR: '1' })
    const lines = renderView(
      {
        view: { ...cluster.session.look(), seconds: DAY_SECONDS, settled: true },
        title: `Kerf · ${pods.length} pods`,
        notes: [],
        log: cluster.log.slice(-6),
      },
      { width: WIDTH, height: 60 },
      style,
    )
    write(UP, 'npm run up', lines)
  }
  const names = { kept: nodeOfPod('ledger'), removed, change }
  for (const { name, args } of commandsFor(names)) {
    if (!wanted(name)) continue
    write(name, `kerf ${shownArgs(args, change)}`, (await ran(args, cluster.kubeconfig)).trimEnd().split('\n'))
  }
}
