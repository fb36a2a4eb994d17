import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DashboardFiles } from '@kerf/dashboard'
import { root } from '../source-files.ts'
import { writeDashboard } from './dashboard-folder.ts'
import { type Program, writeProgram } from './program-files.ts'

/** The name of the npm package, as in `npx kerf` and `npm install --global kerf`. */
const PACKAGE = 'kerf'

const README = `# Kerf

A node autoscaler for Kubernetes that speaks Karpenter's API.

    npx kerf plan          what would be launched for the pending pods of your cluster
    npx kerf explain pod NAMESPACE/NAME
    npx kerf up            a cluster with Kerf in one process, to try it

\`npm install --global kerf\` also installs the plugin of kubectl: \`kubectl kerf plan\`. The package has no
dependencies: one file for Node 20 and newer, and the folder with the dashboard. THIRD-PARTY-NOTICES has the licences of what is in them. \`npx kerf --help\` lists the commands.
`

/**
 * Packs the npm package: the single file as the commands `kerf` and `kubectl-kerf`, with the dashboard. The package has no dependencies and
 * no install scripts.
 * @param out the directory for `npm pack`
 * @returns the name of the file
 */
export const packNpmPackage = (program: Program, dashboard: DashboardFiles, out: string): string => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-npm-'))
  try {
    writeProgram(directory, program)
    writeDashboard(directory, dashboard)
    const { description, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const manifest = {
      name: PACKAGE,
      version: program.bundle.version,
      description,
      keywords: ['kubernetes', 'karpenter', 'autoscaler', 'kubectl-plugin'],
      license,
      engines,
      bin: { kerf: 'kerf.mjs', 'kubectl-kerf': 'kerf.mjs' },
      files: ['kerf.mjs', 'dashboard', 'THIRD-PARTY-NOTICES'],
    }
    writeFileSync(join(directory, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
    writeFileSync(join(directory, 'README.md'), README)
    mkdirSync(out, { recursive: true })
    const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', out], {
      cwd: directory,
      encoding: 'utf8',
    })
    // npm 7 to 11 print a list, and npm 12 prints an object whose keys are the names.
    const answer: unknown = JSON.parse(packed)
    const [first] = Array.isArray(answer) ? answer : Object.values(answer as object)
    return (first as { readonly filename: string }).filename
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
