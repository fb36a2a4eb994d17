// Part of npm run check: the rules of the house for the dashboard's plugin that need the types of its own toolchain.
import { join } from 'node:path'
import { ownValueProblems } from './own-value-rule.ts'
import { root } from './source-files.ts'

const isShipped = (path: string): boolean =>
  path.startsWith('src/') && !/\.test\.tsx?$/.test(path) && !path.includes('/generated/')

const problems = ownValueProblems(join(root, 'headlamp-plugin', 'tsconfig.json'), isShipped)
for (const problem of problems) process.stdout.write(`headlamp-plugin/${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
