import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DashboardFiles } from '@kerf/dashboard'
import { stringify } from 'yaml'
import { makeArchive } from './archive.ts'
import { writeDashboard } from './dashboard-folder.ts'
import { type Program, writeProgram } from './program-files.ts'

/** The name of the archive on the release page. */
export const KUBECTL_ARCHIVE = 'kubectl-kerf.tar.gz'

/**
 * The launcher. kubectl runs the file `kubectl-kerf` on the PATH. Node.js treats a file without an extension as CommonJS, so this file
 * cannot be the program itself. krew creates a link to this file, and Node.js finds the program next to the link's target.
 */
const LAUNCHER = `#!/usr/bin/env node
// The plugin of kubectl: "kubectl kerf". Needs Node 20 or newer; the program is kerf.mjs beside this file.
import(require('node:url').pathToFileURL(require('node:path').join(__dirname, 'kerf.mjs')).href)
`

/** Returns the archive of the kubectl plugin: launcher, program, dashboard and licenses. */
export const kubectlArchive = (program: Program, dashboard: DashboardFiles): Uint8Array => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-kubectl-'))
  try {
    writeProgram(directory, program)
    writeDashboard(directory, dashboard)
    writeFileSync(join(directory, 'kubectl-kerf'), LAUNCHER)
    chmodSync(join(directory, 'kubectl-kerf'), 0o755)
    return makeArchive(directory, readdirSync(directory))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/**
 * Returns the manifest of this archive for krew, the plugin manager of kubectl. One archive serves every platform on which krew creates
 * links. On Windows krew needs an .exe, so Windows users install the npm package instead.
 * @param url the URL of the archive for this version
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
