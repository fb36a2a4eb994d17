// Makes Vitest run the test files of the mutated tree in the order of the plan. By default, Vitest starts with the longest file, which
// would then run for every mutant, even for mutants that a quick file kills.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import type { Plan } from './phases.ts'

export default class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const path = join(process.env['KERF_MUTATION_DIRECTORY'] ?? '', 'plan.json')
    const sorted = await super.sort(files)
    if (!existsSync(path)) return sorted
    const plan = JSON.parse(readFileSync(path, 'utf8')) as Plan
    const root = `${this.ctx.config.root}/`
    const rank = ({ moduleId }: TestSpecification): number => plan.files.indexOf(moduleId.replace(root, ''))
    return sorted.toSorted((one, other) => rank(one) - rank(other))
  }
}
