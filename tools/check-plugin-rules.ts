// Part of npm run check: the project's rules for the dashboard plugin that need the types of the plugin's toolchain.
import { join } from 'node:path'
import { ownValueProblems } from './own-value-rule.ts'
import { root } from './source-files.ts'

const isShipped = (path: string): boolean =>
  path.startsWith('src/') && !/\.test\.tsx?$/.test(path) && !path.includes('/generated/')

const problems = ownValueProblems(join(root, 'packages', 'dashboard', 'plugin', 'tsconfig.json'), isShipped)
for (const problem of problems) process.stdout.write(`packages/dashboard/plugin/${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
