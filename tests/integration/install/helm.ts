import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { KubeObject } from '@kerf/apis'
import { findHelm, type ProgramResult, runProgram } from '@kerf/control-plane'
import { parseAllDocuments } from 'yaml'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Returns the folder of a chart of this repository. */
export const chart = (name: 'karpenter' | 'karpenter-crd'): string => join(root, 'deploy', 'charts', name)

/** Runs the pinned Helm without this machine's settings. Never rejects, even if the command fails. */
export const helm = async (args: readonly string[], kubeconfig?: string): Promise<ProgramResult> => {
  const path = findHelm()
  if (path === undefined) throw new Error('no Helm here: run "node tests/support/control-plane/build-helm.ts"')
  const home = mkdtempSync(join(tmpdir(), 'kerf-helm-'))
  try {
    const target = kubeconfig === undefined ? {} : { KUBECONFIG: kubeconfig }
    return await runProgram(path, args, { PATH: process.env['PATH'] ?? '', HOME: home, ...target })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Runs Helm with a values file, as with `--values`. */
export const withValues = async (
  values: Readonly<Record<string, unknown>>,
  run: (flag: string) => Promise<ProgramResult>,
): Promise<ProgramResult> => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-values-'))
  try {
    const file = join(directory, 'values.yaml')
    writeFileSync(file, JSON.stringify(values))
    return await run(`--values=${file}`)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** An object that a chart renders, with the fields that the tests read. */
export interface Rendered extends KubeObject {
  readonly rules?: readonly {
    readonly apiGroups: readonly string[]
    readonly resources: readonly string[]
    readonly resourceNames?: readonly string[]
    readonly verbs: readonly string[]
  }[]
  readonly spec?: Readonly<Record<string, unknown>>
}

export const parseDocuments = (yaml: string): readonly Rendered[] =>
  parseAllDocuments(yaml).flatMap((document) => {
    const [problem] = document.errors
    if (problem !== undefined) throw problem
    const object: unknown = document.toJS()
    // Helm renders objects with a kind, and empty documents.
    return object === null || object === undefined ? [] : [object as Rendered]
  })

/** Renders the karpenter chart with these values, and returns its objects. If Helm refuses, throws Helm's message. */
export const render = async (
  values: Readonly<Record<string, unknown>>,
  flags: readonly string[] = [],
): Promise<readonly Rendered[]> => {
  const args = ['template', 'karpenter', chart('karpenter'), '--namespace=kube-system', ...flags]
  const { code, stdout, stderr } = await withValues(values, (flag) => helm([...args, flag]))
  if (code !== 0) throw new Error(stderr)
  return parseDocuments(stdout)
}

export const named = (objects: readonly Rendered[], kind: string, name = 'karpenter'): Rendered => {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name)
  if (found === undefined) throw new Error(`no ${kind} ${name} is rendered`)
  return found
}
