import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const filesOf = (root: string): readonly string[] => {
  const listed = spawnSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  })
  if (listed.status !== 0) throw new Error(`git ls-files failed in ${root}: ${listed.stderr}`)
  return [...new Set(listed.stdout.split('\0').filter((path) => path !== ''))]
}

/**
 * A copy of what git knows of the working tree, to be changed at will. Dependencies are linked to; the workspaces' own
 * links are made anew, so that they lead into the copy.
 */
export const copyTree = (from: string, to: string): void => {
  for (const path of filesOf(from)) {
    mkdirSync(dirname(join(to, path)), { recursive: true })
    cpSync(join(from, path), join(to, path), { force: true })
  }
  const modules = join(from, 'node_modules')
  mkdirSync(join(to, 'node_modules', '@kerf'), { recursive: true })
  for (const name of readdirSync(modules)) {
    if (name !== '@kerf') symlinkSync(join(modules, name), join(to, 'node_modules', name))
  }
  for (const name of readdirSync(join(modules, '@kerf'))) {
    symlinkSync(readlinkSync(join(modules, '@kerf', name)), join(to, 'node_modules', '@kerf', name))
  }
}

/** What the runs in the copy differ in from `npm test`: one runner, no shared control plane, no second try. */
export const writeConfig = (tree: string, runner: string, sequencer: string, base: boolean): void => {
  const lines = [
    `import { defineConfig } from 'vitest/config'`,
    `import InOrder from ${JSON.stringify(sequencer)}`,
    ...(base ? [`import base from './vitest.config.ts'`] : []),
    'export default defineConfig({',
    '  test: {',
    // The projects differ in how files share processes only; here each file has its own.
    ...(base
      ? [
          '    ...base.test,',
          '    ...base.test.projects?.[0]?.test,',
          '    name: undefined,',
          "    include: ['**/*.test.ts'],",
          '    projects: undefined,',
          '    globalSetup: [],',
        ]
      : []),
    `    runner: ${JSON.stringify(runner)},`,
    '    sequence: { sequencer: InOrder },',
    '    retry: 0,',
    '    maxConcurrency: 1,',
    // Who hangs is told by processor time and idleness (hang-watch.ts), not by the wall's clock.
    '    testTimeout: 600_000,',
    '    hookTimeout: 600_000,',
    // Every process of a run loads the same files, as Vite transforms them.
    '    experimental: {},',
    '    fsModuleCache: true,',
    `    fsModuleCachePath: ${JSON.stringify(join(tree, '.vitest-modules'))},`,
    "    pool: 'forks',",
    '    maxWorkers: Number(process.env.KERF_MUTATION_WORKERS ?? 2),',
    '    dangerouslyIgnoreUnhandledErrors: true,',
    '  },',
    '})',
    '',
  ]
  writeFileSync(join(tree, 'vitest.mutation.config.ts'), lines.join('\n'))
}
