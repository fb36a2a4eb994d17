import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { chosenTests } from '../selection/chosen-tests.ts'

/**
 * Sorts test files by the table of test costs, the longest first, so that no long file is still running when all others have ended. Keeps
 * the files of a project together, because Vitest ends a shared process when the next file belongs to another project. If no selection was
 * made (tools/test.mjs), keeps Vitest's order within a project.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = `${this.ctx.config.root}/`
    const order = new Map(chosenTests().longestFirst.map((file, index) => [file, index]))
    const rank = ({ project, moduleId }: TestSpecification): number =>
      (order.get(moduleId.replace(root, '')) ?? order.size) + this.ctx.projects.indexOf(project) * (order.size + 1)
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
