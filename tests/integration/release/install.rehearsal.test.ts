import { execFileSync } from 'node:child_process'
import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { karpenterKinds } from '@kerf/apis'
import { findKrew, freePort, startProgram } from '@kerf/control-plane'
import { describeOnCluster, type TestCluster } from '@kerf/control-plane/testing'
import type { ProviderDescriptor } from '@kerf/provider-contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { providers } from '../../../packages/cli/src/providers.ts'
import { imageName } from '../../../tools/image/image-name.ts'
import { IMAGE_PROVIDER } from '../../../tools/image/image-provider.ts'
import { canHaveRoot } from '../../../tools/image/image-root.ts'
import { root } from '../../../tools/source-files.ts'
import { GuideShell } from '../guides/guide-shell.ts'
import { documentSteps, type GuideStep } from '../guides/guide-steps.ts'
import { chartEnvironment, deploymentSpec } from '../install/chart-env.ts'
import { named, parseDocuments, type Rendered } from '../install/helm.ts'
import { httpClient } from '../story/story-cluster.ts'
import { PulledImage } from './pulled-image.ts'
import { COMMIT, helmProgram, npmProgram, programPath, REPOSITORY, Released } from './released.ts'

const VERSION = imageName().tag
/** Matches the output of `--version` of the released program. */
const RELEASED = new RegExp(`^kerf ${VERSION.replaceAll('.', '\\.')} \\(commit ${COMMIT}, Node v`, 'm')

/**
 * Returns the dashboard URL that `kerf up` of an installed program prints. @throws Error if the program builds the dashboard first, or has
 * no dashboard
 */
const openedDashboard = async (program: string): Promise<string> => {
  const home = mkdtempSync(join(tmpdir(), 'kerf-home-'))
  const up = startProgram(process.execPath, [program, 'up', '--headless', '--dashboard'], {
    cwd: home,
    env: { PATH: '/usr/bin:/bin', HOME: home },
  })
  try {
    // The first line about the dashboard is its URL. If the program built the dashboard, a line about the build would come first.
    const line = await up.printed(/([Dd]ashboard: .+)\n/)
    const [url] = /http:\S+/.exec(line) ?? []
    if (url === undefined) throw new Error(line)
    const response = await fetch(url)
    if (!response.ok) throw new Error(`${url} answered ${response.status}`)
    return await response.text()
  } finally {
    up.child.kill('SIGINT')
    await up.ended
    rmSync(home, { recursive: true, force: true })
  }
}

const [places, ...blocks] = documentSteps('from-a-release')
const under = (heading: string): readonly GuideStep[] => blocks.filter((step) => step.heading === heading)

const all: readonly ProviderDescriptor[] = providers
/** Returns the name of a provider's manifest file without its extension. */
const fileOf = (provider: string): string => (provider === IMAGE_PROVIDER ? 'karpenter' : `karpenter-${provider}`)
const manifests = all.flatMap(({ name, managementPermissions }) => [
  `${fileOf(name)}.yaml`,
  ...(managementPermissions === undefined ? [] : [`${fileOf(name)}-management.yaml`]),
])

let released: Released
beforeAll(async () => {
  released = await Released.make()
})
afterAll(() => released?.stop())

test('a release consists of these files, and has checksums for all of them', () => {
  const directory = released.file('.')
  const names = [
    ...['LICENSE', 'SHA256SUMS', 'THIRD-PARTY-NOTICES', 'artifacthub-pkg.yml', 'dashboard.tar.gz'],
    ...['headlamp-plugin.tar.gz', ...manifests],
    ...[`karpenter-${VERSION}.tgz`],
    ...[`karpenter-crd-${VERSION}.tgz`, `kerf-${VERSION}.tgz`],
    ...['kerf.cdx.json', 'kerf.mjs', 'kerf.mjs.map', 'kerf.yaml', 'kubectl-kerf.tar.gz'],
  ]
  expect(readdirSync(directory).toSorted()).toEqual(names.toSorted())
  const sums = readFileSync(released.file('SHA256SUMS'), 'utf8').trim().split('\n')
  expect(sums).toHaveLength(names.length - 1)
  execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: directory })
})

test('both images and both charts are signed by digest', async () => {
  const { images, signed } = released
  const place = `${images.host}/${REPOSITORY}`
  const names = ['controller', 'headlamp-plugin', 'charts/karpenter', 'charts/karpenter-crd']
  const digests = await Promise.all(names.map((name) => images.call('digest', `${place}/${name}:${VERSION}`)))
  expect(signed.toSorted()).toEqual(
    names.map((name, index) => `sign --yes ${place}/${name}@${digests[index]}`).toSorted(),
  )
})

test('each provider has one file: first the custom resources, then the released image, and one place for the cluster name', () => {
  for (const { name, chart } of all) {
    const text = readFileSync(released.file(`${fileOf(name)}.yaml`), 'utf8')
    const areDefinitions = parseDocuments(text).map(({ kind }) => kind === 'CustomResourceDefinition')
    expect(areDefinitions).toEqual(areDefinitions.toSorted().toReversed())
    expect(text.match(/^ +image: .+$/gm)?.map((line) => line.trim())).toEqual([
      `image: ${released.images.host}/${REPOSITORY}/controller:${VERSION}@${released.digests.get('deploy/image/Dockerfile')}`,
    ])
    const places = chart.manifestValues.filter((value) => value.endsWith('=your-cluster-name'))
    expect([name, text.split('your-cluster-name').length - 1]).toEqual([name, places.length])
  }
  const filled = readFileSync(released.file('karpenter.yaml'), 'utf8').replace('your-cluster-name', 'demo')
  expect(chartEnvironment(named(parseDocuments(filled), 'Deployment'))).toMatchObject({
    CLUSTER_NAME: 'demo',
    INTERRUPTION_QUEUE: 'demo',
  })
})

describe.skipIf(!canHaveRoot())('the plugin’s image', () => {
  test('copies the plugin over an older version to where Headlamp reads it, as an unprivileged user', async () => {
    const image = await PulledImage.pull(released.images, `${REPOSITORY}/headlamp-plugin:${VERSION}`)
    try {
      expect(image.config).toMatchObject({ User: '65532:65532', Cmd: ['/headlamp/plugins'] })
      image.write('/headlamp/plugins/kerf/older.js', '')
      const { code, stdout, stderr } = await image.run([], { isWritable: true })
      expect({ code, stdout, stderr }).toEqual({
        code: 0,
        stdout: 'kerf-headlamp-plugin: copied to /headlamp/plugins/kerf\n',
        stderr: '',
      })
      const copied = image.list('/headlamp/plugins/kerf')
      expect(copied.toSorted()).toEqual(['README.md', 'main.js', 'package.json'])
      const refused = await image.run([])
      expect(refused.code).toBe(1)
      expect(refused.stderr).toMatch(/^kerf-headlamp-plugin: cannot write .*; mount a volume there that user 65532 may/)
    } finally {
      image.remove()
    }
  })
})

describeOnCluster('the commands of docs/from-a-release.md', (shared) => {
  let shell: GuideShell
  const cluster = (): TestCluster => shared() as TestCluster
  const kubectl = async (args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await cluster().kubectl(args)
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`)
    return stdout
  }
  const deployment = async (): Promise<Rendered> =>
    JSON.parse(await kubectl(['get', 'deployment', 'karpenter', '-n', 'kube-system', '-o', 'json'])) as Rendered
  const runImage = async (): Promise<string | undefined> =>
    deploymentSpec(await deployment()).template.spec.containers[0]?.image

  beforeAll(() => {
    shell = new GuideShell(
      {
        npm: npmProgram,
        npx: [programPath('npx')],
        node: [process.execPath],
        helm: helmProgram,
        kubectl: [cluster().kubectlPath],
        'kubectl-krew': [findKrew() ?? 'krew'],
      },
      {
        VERSION,
        RELEASE: `${released.page.url}/${REPOSITORY}/releases/latest/download`,
        CHARTS: `oci://${released.images.host}/${REPOSITORY}/charts`,
        KUBECONFIG: cluster().kubeconfig,
        KREW_NO_UPGRADE_CHECK: '1',
      },
      ['.npm-global/bin', '.krew/bin', '.local/bin'],
    )
    // The reader's npm settings. Every folder belongs to the reader.
    writeFileSync(
      join(shell.directory, '.npmrc'),
      `registry=${released.npm.url}/\nprefix=\${HOME}/.npm-global\ncache=\${HOME}/.npm\n`,
    )
  })
  afterAll(() => shell?.close())

  test('begin with the variables, whose values are the only difference here', () => {
    expect(places?.heading).toBe('Where a release is')
    expect(places?.commands.match(/^export \w+/gm)).toEqual(['export VERSION', 'export RELEASE', 'export CHARTS'])
    expect(places?.commands).toContain(`VERSION=${VERSION}\n`)
  })

  test('run the program: with npx, as an installed package, and as a single file', async () => {
    const [once, installed, file, dashboard] = under('The program')
    if (once === undefined || installed === undefined || file === undefined || dashboard === undefined)
      throw new Error('four blocks')
    expect(await shell.run(once)).toMatch(RELEASED)
    const both = await shell.run(installed)
    expect(both.match(new RegExp(RELEASED, 'gm'))).toHaveLength(2)
    const checked = await shell.run(file)
    expect(checked).toContain('kerf.mjs: OK')
    expect(checked).toMatch(RELEASED)
    // The package contains the dashboard. The single file finds it after the archive is unpacked.
    expect(await openedDashboard(join(shell.directory, '.npm-global', 'bin', 'kerf'))).toContain('<title>')
    const single = join(shell.directory, 'kerf.mjs')
    await expect(openedDashboard(single)).rejects.toThrow(
      'the folder dashboard of the release is not next to this file',
    )
    await shell.run(dashboard)
    expect(await openedDashboard(single)).toContain('<title>')
    await shell.run({
      heading: 'without the package',
      commands: 'npm uninstall --global kerf\n! kubectl kerf --version',
    })
  })

  test('install the plugin of kubectl with krew, and by hand', async () => {
    const [krew, byHand] = under('The plugin of kubectl, without npm')
    if (krew === undefined || byHand === undefined) throw new Error('two blocks')
    const output = await shell.run(krew)
    expect(output).toMatch(RELEASED)
    const help = await shell.run({ heading: 'its help', commands: 'kubectl kerf plan --help' })
    expect(help).toContain('Usage: kubectl kerf plan')
    // krew has put a link to the plugin on the PATH. The link points into krew's store.
    const link = join(shell.directory, '.krew', 'bin', 'kubectl-kerf')
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(readlinkSync(link)).toContain(`store/kerf/v${VERSION}`)
    await shell.run({ heading: 'without krew', commands: 'rm ~/.krew/bin/kubectl-kerf\n! kubectl kerf --version' })
    expect(await shell.run(byHand)).toMatch(RELEASED)
    const plan = await shell.run({ heading: 'it reaches the cluster', commands: 'kubectl kerf plan || echo "exit $?"' })
    expect(plan).not.toBe('')
  })

  test('install the charts, which run the released image by digest', async () => {
    const [install] = under('The controller with Helm')
    if (install === undefined) throw new Error('one block')
    await shell.run(install)
    const image = await runImage()
    expect(image).toMatch(/@sha256:\w{64}$/)
    expect(await released.images.call('digest', image ?? '')).toBe(released.digests.get('deploy/image/Dockerfile'))
    const names = ['karpenter', 'karpenter-crd'].join(' ')
    await shell.run({ heading: 'away', commands: `helm uninstall ${names} --namespace kube-system --wait` })
  })

  test('apply the manifests twice; the second time changes nothing', async () => {
    const [first, kwok] = under('The controller with kubectl')
    if (first === undefined || kwok === undefined) throw new Error('two blocks')
    await kubectl(['delete', 'crd', '--all', '--wait=true'])
    await shell.run(first)
    expect(chartEnvironment(await deployment())).toMatchObject({ CLUSTER_NAME: 'demo', INTERRUPTION_QUEUE: 'demo' })
    await kubectl(['delete', '-f', released.file('karpenter.yaml'), '--wait=true'])
    await shell.run(kwok)
    const { generation } = (await deployment()).metadata
    await shell.run(kwok)
    expect((await deployment()).metadata.generation).toBe(generation)
  })

  test.skipIf(!canHaveRoot())('run the image that was pulled: it launches a node', async () => {
    const client = httpClient(cluster())
    const image = await PulledImage.pull(released.images, (await runImage())?.replace(/^[^/]+\//, '') ?? '')
    image.write('/etc/kerf/kubeconfig', readFileSync(cluster().kubeconfig, 'utf8'))
    const controller = image.start([], {
      ...chartEnvironment(await deployment()),
      KUBECONFIG: '/etc/kerf/kubeconfig',
      METRICS_PORT: String(await freePort()),
      HEALTH_PROBE_PORT: String(await freePort()),
    })
    try {
      await kubectl(['apply', '-f', join(root, 'examples', 'quickstart')])
      const claims = async () => (await client.list(karpenterKinds.NodeClaim)).items
      while (
        !(await claims()).some(({ status }) =>
          status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True'),
        )
      ) {
        if (controller.hasEnded) throw new Error(`it ended: ${controller.output}`)
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      expect(controller.output).toContain(`"commit":"${COMMIT.slice(0, 7)}`)
    } finally {
      controller.child.kill('SIGTERM')
      expect(await controller.ended).toMatchObject({ code: 0, signal: null })
      image.remove()
      await client.close()
    }
  })

  test('unpack the plugin to where Headlamp reads it', async () => {
    const [unpack] = under('The plugin of the dashboard')
    if (unpack === undefined) throw new Error('one block')
    await shell.run(unpack)
    const folder = join(shell.directory, '.config', 'Headlamp', 'plugins', 'headlamp-plugin')
    expect(readdirSync(folder).toSorted()).toEqual(['README.md', 'main.js', 'package.json'])
  })
})
