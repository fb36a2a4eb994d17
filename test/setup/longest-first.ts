import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { chosenTests } from '../selection/chosen-tests.ts'

/**
 * The files that take longest first, by the table of test costs, so that none of them is still running when all others are done.
 * The files of a project stay together, because Vitest ends a shared process when the next file is not of its project. Without a
 * choice, the order within a project is Vitest's.
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
