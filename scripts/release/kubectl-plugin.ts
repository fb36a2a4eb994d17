import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DashboardFiles } from '@kerf/dashboard'
import { stringify } from 'yaml'
import { archiveOf } from './archive.ts'
import { writeDashboard } from './dashboard-folder.ts'
import { type Program, writeProgram } from './program-files.ts'

/** File of the archive, as the release page has it. */
export const KUBECTL_ARCHIVE = 'kubectl-kerf.tar.gz'

/**
 * kubectl runs what is called `kubectl-kerf` on the PATH. A file without an extension is CommonJS for Node, whatever its
 * version, so it is not the program itself; Node finds the program beside the file that a link leads to, as krew makes one.
 */
const LAUNCHER = `#!/usr/bin/env node
// The plugin of kubectl: "kubectl kerf". Needs Node 20 or newer; the program is kerf.mjs beside this file.
import(require('node:url').pathToFileURL(require('node:path').join(__dirname, 'kerf.mjs')).href)
`

/** The archive of the plugin: launcher, program, dashboard and licences. */
export const kubectlArchive = (program: Program, dashboard: DashboardFiles): Uint8Array => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-kubectl-'))
  try {
    writeProgram(directory, program)
    writeDashboard(directory, dashboard)
    writeFileSync(join(directory, 'kubectl-kerf'), LAUNCHER)
    chmodSync(join(directory, 'kubectl-kerf'), 0o755)
    return archiveOf(directory, readdirSync(directory))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/**
 * The manifest of krew, the plugin manager of kubectl, for this archive. One archive serves every platform that krew links files
 * on; on Windows krew wants an .exe, so the npm package is the way there.
 * @param url where the archive will be, of the very version
 */
export const krewManifest = (version: string, archive: Uint8Array, url: string): string =>
  stringify({
    apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
    kind: 'Plugin',
    metadata: { name: 'kerf' },
    spec: {
      version: `v${version}`,
      shortDescription: 'Plans and explains nodes of Karpenter and Kerf',
      description:
        'Says what would be launched for pending pods and what it costs, why a pod is pending,\n' +
        'why a node is kept, and what a change of a NodePool would do. Reads the cluster and\n' +
        'changes nothing, unless you run its controller.\n',
      caveats: 'Needs Node 20 or newer on the PATH.\n',
      platforms: [
        {
          selector: { matchExpressions: [{ key: 'os', operator: 'In', values: ['darwin', 'linux'] }] },
          uri: url,
          sha256: createHash('sha256').update(archive).digest('hex'),
          bin: 'kubectl-kerf',
        },
      ],
    },
  })
