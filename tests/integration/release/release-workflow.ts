import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startProgram } from '@kerf/control-plane'
import { parse } from 'yaml'
import { shellWord } from '../../../packages/cli/src/terminal/shell-word.ts'
import { root } from '../../../tools/source-files.ts'
import { compileCache } from '../story/start-kerf.ts'

interface Step {
  readonly name?: string
  readonly id?: string
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, string | number | boolean>>
  readonly env?: Readonly<Record<string, string>>
  readonly 'working-directory'?: string
}

interface Workflow {
  readonly env: Readonly<Record<string, string | boolean>>
  readonly jobs: Readonly<
    Record<
      string,
      { readonly needs?: string | readonly string[]; readonly outputs?: object; readonly steps: readonly Step[] }
    >
  >
}

type Values = Readonly<Record<string, string>>

/**
 * A stand-in for an action that the workflow uses. Gets the values under `with` and the job's directory, and returns the step's outputs.
 */
export type Action = (inputs: Values, directory: string) => Promise<Values | undefined>

export interface WorkflowDeps {
  /** Host names that occur in the workflow, with their replacements for a rehearsal. */
  readonly hosts: Values
  /** The values of expressions, for example `github.sha` and `secrets.GITHUB_TOKEN`. */
  readonly context: Values
  /** Values that override the workflow's own variables. */
  readonly env: Values
  /** A stand-in for every action that the workflow uses, by the action's name without its version. */
  readonly actions: Readonly<Record<string, Action>>
  /** Replacements for programs that exist on the machine of a real release. */
  readonly programs: Readonly<Record<string, readonly string[]>>
  /** The parent folder of the jobs' directories. */
  readonly directory: string
}

/**
 * Runs the jobs of release.yml in the order of their dependencies. Runs their commands with bash, like GitHub's runner, each job in its own
 * checkout and with stand-ins for the actions. An action or expression without a stand-in is an error.
 */
export class ReleaseWorkflow {
  readonly #deps: WorkflowDeps
  readonly #workflow: Workflow
  readonly #outputs = new Map<string, Values>()

  constructor(deps: WorkflowDeps) {
    this.#deps = deps
    let text = readFileSync(join(root, '.github', 'workflows', 'release.yml'), 'utf8')
    for (const [host, here] of Object.entries(deps.hosts)) text = text.replaceAll(host, here)
    this.#workflow = parse(text)
  }

  get jobs(): readonly string[] {
    return Object.keys(this.#workflow.jobs)
  }

  /** Runs all jobs. @throws Error with the output of a failed command */
  async run(): Promise<void> {
    const waiting = new Set(this.jobs)
    while (waiting.size > 0) {
      const next = [...waiting].find((name) => this.#needs(name).every((needed) => !waiting.has(needed)))
      if (next === undefined) throw new Error(`jobs that wait for each other: ${[...waiting].join(', ')}`)
      await this.#job(next)
      waiting.delete(next)
    }
  }

  #needs(name: string): readonly string[] {
    return [this.#workflow.jobs[name]?.needs ?? []].flat()
  }

  async #job(name: string): Promise<void> {
    const directory = join(this.#deps.directory, name)
    mkdirSync(directory)
    const bin = this.#programs(join(this.#deps.directory, `.bin-${name}`))
    const said = join(this.#deps.directory, `${name}.env`)
    writeFileSync(said, '')
    const values = new Map(Object.entries(this.#deps.context))
    for (const [key, value] of Object.entries(this.#workflow.env)) {
      const own = this.#deps.env[key]
      values.set(`env.${key}`, own ?? this.#expand(String(value), values))
    }
    for (const needed of this.#needs(name))
      for (const [key, value] of Object.entries(this.#outputs.get(needed) ?? {}))
        values.set(`needs.${needed}.outputs.${key}`, value)
    const under = (prefix: string, to = ''): Values =>
      Object.fromEntries(
        [...values]
          .filter(([key]) => key.startsWith(prefix))
          .map(([key, value]) => [
            to === '' ? key.slice(prefix.length) : `${to}${key.slice(prefix.length).toUpperCase()}`,
            value,
          ]),
      )

    for (const step of this.#workflow.jobs[name]?.steps ?? []) {
      const expanded = (record: Readonly<Record<string, unknown>> = {}): Values =>
        Object.fromEntries(Object.entries(record).map(([key, value]) => [key, this.#expand(String(value), values)]))
      if (step.uses !== undefined) {
        const [action = ''] = step.uses.split('@')
        const play = this.#deps.actions[action]
        if (play === undefined) throw new Error(`${name}: nobody plays the action ${action}`)
        const outputs = (await play(expanded(step.with), directory)) ?? {}
        for (const [key, value] of Object.entries(outputs)) values.set(`steps.${step.id}.outputs.${key}`, value)
        continue
      }
      const { code, stdout, stderr } = await startProgram('/bin/bash', ['-eo', 'pipefail', '-c', step.run ?? ''], {
        cwd: join(directory, step['working-directory'] ?? '.'),
        env: {
          ...compileCache(),
          PATH: `${bin}:${process.env['PATH'] ?? ''}`,
          HOME: this.#deps.directory,
          LC_ALL: 'C.UTF-8',
          ...under('github.', 'GITHUB_'),
          ...under('env.'),
          ...expanded(step.env),
          GITHUB_ENV: said,
        },
      }).ended
      if (code !== 0) throw new Error(`${name}: ${step.name ?? step.run} ended with ${code}:\n${stdout}${stderr}`)
      for (const line of readFileSync(said, 'utf8')
        .split('\n')
        .filter((text) => text !== '')) {
        const [key = '', value = ''] = line.split(/=(.*)/s)
        values.set(`env.${key}`, value)
      }
    }
    const { outputs = {} } = this.#workflow.jobs[name] ?? {}
    this.#outputs.set(
      name,
      Object.fromEntries(Object.entries(outputs).map(([key, value]) => [key, this.#expand(String(value), values)])),
    )
  }

  #programs(bin: string): string {
    mkdirSync(bin)
    for (const [name, command] of Object.entries(this.#deps.programs)) {
      writeFileSync(join(bin, name), `#!/bin/sh\nexec ${command.map(shellWord).join(' ')} "$@"\n`)
      chmodSync(join(bin, name), 0o755)
    }
    return bin
  }

  #expand(text: string, values: ReadonlyMap<string, string>): string {
    return text.replaceAll(/\$\{\{ *([\w.]+) *\}\}/g, (all, name: string) => {
      const value = values.get(name)
      if (value === undefined) throw new Error(`${all} is nothing that a rehearsal knows`)
      return value
    })
  }
}

/** Does what `actions/checkout` does: copies everything in the repository, without the output of earlier builds. */
export const checkOut: Action = async (_inputs, directory) => {
  const made = new Set(['dist', 'release', 'plugin-release', '.git'])
  for (const name of readdirSync(root)) if (!made.has(name)) symlinkSync(join(root, name), join(directory, name))
  return undefined
}
