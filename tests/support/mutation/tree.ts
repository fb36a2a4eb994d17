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
 * Copies all files in the working tree that git does not ignore, so that they can be changed. Links to the installed dependencies, and
 * creates links for the workspaces that point into the copy.
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

/** Writes a Vitest configuration. In contrast to `npm test`, it uses this runner, no shared control plane, and no retries. */
export const writeConfig = (tree: string, runner: string, sequencer: string, base: boolean): void => {
  const lines = [
    `import { defineConfig } from 'vitest/config'`,
    `import InOrder from ${JSON.stringify(sequencer)}`,
    ...(base ? [`import base from './vitest.config.ts'`] : []),
    'export default defineConfig({',
    '  test: {',
    // Projects only differ in which files share a process. Here each file has its own process.
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
    // CPU time and idle time determine whether a test hangs (hang-watch.ts), so Vitest's own timeout is very long.
    '    testTimeout: 600_000,',
    '    hookTimeout: 600_000,',
    // All processes of a run load the same files, so the files that Vite has transformed are cached on disk.
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
