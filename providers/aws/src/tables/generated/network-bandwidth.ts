// Made by tools/aws-tables.ts from data of karpenter-provider-aws: the baseline in Mbit/s (Apache-2.0). One line a family.

export const NETWORK_BANDWIDTH = `
a1 2xlarge=2500 4xlarge=5000 large=750 medium=500 metal=5000 xlarge=1250
c3 8xlarge=10000
c4 8xlarge=10000
c5 12xlarge=12000 18xlarge=25000 24xlarge=25000 2xlarge=2500 4xlarge=5000 9xlarge=12000 large=750 metal=25000 xlarge=1250
c5a 12xlarge=12000 16xlarge=20000 24xlarge=20000 2xlarge=2500 4xlarge=5000 8xlarge=10000 large=750 xlarge=1250
c5ad 12xlarge=12000 16xlarge=20000 24xlarge=20000 2xlarge=2500 4xlarge=5000 8xlarge=10000 large=750 xlarge=1250
c5d 12xlarge=12000 18xlarge=25000 24xlarge=25000 2xlarge=2500 4xlarge=5000 9xlarge=12000 large=750 metal=25000 xlarge=1250
c5n 18xlarge=100000 2xlarge=10000 4xlarge=15000 9xlarge=50000 large=3000 metal=100000 xlarge=5000
c6a 12xlarge=18750 16xlarge=25000 24xlarge=37500 2xlarge=3125 32xlarge=50000 48xlarge=50000 4xlarge=6250 8xlarge=12500 large=781 metal=50000 xlarge=1562
c6g 12xlarge=20000 16xlarge=25000 2xlarge=2500 4xlarge=5000 8xlarge=12000 large=750 medium=500 metal=25000 xlarge=1250
c6gd 12xlarge=20000 16xlarge=25000 2xlarge=2500 4xlarge=5000 8xlarge=12000 large=750 medium=500 metal=25000 xlarge=1250
c6gn 12xlarge=75000 16xlarge=100000 2xlarge=12500 4xlarge=25000 8xlarge=50000 large=3000 medium=1600 xlarge=6300
c6i 12xlarge=18750 16xlarge=25000 24xlarge=37500 2xlarge=3125 32xlarge=50000 4xlarge=6250 8xlarge=12500 large=781 metal=50000 xlarge=1562
c6id 12xlarge=18750 16xlarge=25000 24xlarge=37500 2xlarge=3125 32xlarge=50000 4xlarge=6250 8xlarge=12500 large=781 metal=50000 xlarge=1562
c6in 12xlarge=75000 16xlarge=100000 24xlarge=150000 2xlarge=12500 32xlarge=200000 4xlarge=25000 8xlarge=50000 large=3125 metal=200000 xlarge=6250
c7a 12xlarge=18750 16xlarge=25000 24xlarge=37500 2xlarge=3125 32xlarge=50000 48xlarge=50000 4xlarge=6250 8xlarge=12500 large=781 medium=390 metal-48xl=50000 xlarge=1562
c7g 12xlarge=22500 16xlarge=30000 2xlarge=3750 4xlarge=7500 8xlarge=15000 large=937 medium=520 metal=30000 xlarge=1876
c7gd 12xlarge=22500 16xlarge=30000 2xlarge=3750 4xlarge=7500 8xlarge=15000 large=937 medium=520 metal=30000 xlarge=1876
c7gn 12xlarge=150000 16xlarge=200000 2xlarge=25000 4xlarge=50000 8xlarge=100000 large=6250 medium=3125 metal=200000 xlarge=12500
c7i-flex 12xlarge=9375 16xlarge=12500 2xlarge=1562 4xlarge=3125 8xlarge=6250 large=390 xlarge=781
c7i 12xlarge=18750 16xlarge=25000 24xlarge=37500 2xlarge=3125 48xlarge=50000 4xlarge=6250 8xlarge=12500 large=781 metal-24xl=37500 metal-48xl=50000 xlarge=1562
c8a 12xlarge=22500 16xlarge=30000 24xlarge=40000 2xlarge=3750 48xlarge=75000 4xlarge=7500 8xlarge=15000 large=937 medium=520 metal-24xl=40000 metal-48xl=75000 xlarge=1875
c8g 12xlarge=22500 16xlarge=30000 24xlarge=40000 2xlarge=3750 48xlarge=50000 4xlarge=7500 8xlarge=15000 large=937 medium=520 metal-24xl=40000 metal-48xl=50000 xlarge=1875
c8gb 12xlarge=100000 16xlarge=133330 24xlarge=200000 2xlarge=16666 48xlarge=400000 4xlarge=33330 8xlarge=66660 large=4166 medium=2083 metal-24xl=200000 metal-48xl=400000 xlarge=8333
c8gd 12xlarge=22500 16xlarge=30000 24xlarge=40000 2xlarge=3750 48xlarge=50000 4xlarge=7500 8xlarge=15000 large=937 medium=520 metal-24xl=40000 metal-48xl=50000 xlarge=1875
c8gn 12xlarge=150000 16xlarge=200000 24xlarge=300000 2xlarge=25000 48xlarge=600000 4xlarge=50000 8xlarge=100000 large=6250 medium=3125 metal-24xl=300000 metal-48xl=600000 xlarge=12500
c8i-flex 12xlarge=11250 16xlarge=15000 2xlarge=1875 4xlarge=3750 8xlarge=7500 large=468 xlarge=937
c8i 12xlarge=22500 16xlarge=30000 24xlarge=40000 2xlarge=3750 32xlarge=50000 48xlarge=75000 4xlarge=7500 8xlarge=15000 96xlarge=100000 large=937 metal-48xl=75000 metal-96xl=100000 xlarge=1875
c8ib 12xlarge=50000 16xlarge=66660 24xlarge=100000 2xlarge=8333 32xlarge=133330 48xlarge=200000 4xlarge=16666 8xlarge=33330 96xlarge=400000 large=2083 metal-48xl=200000 metal-96xl=400000 xlarge=4166
c8id 12xlarge=22500 16xlarge=30000 24xlarge=40000 2xlarge=3750 32xlarge=50000 48xlarge=75000 4xlarge=7500 8xlarge=15000 96xlarge=100000 large=937 metal-48xl=75000 metal-96xl=100000 xlarge=1875
c8in 12xlarge=75000 16xlarge=100000 24xlarge=150000 2xlarge=12500 32xlarge=200000 48xlarge=300000 4xlarge=25000 8xlarge=50000 96xlarge=600000 large=3125 metal-48xl=300000 metal-96xl=600000 xlarge=6250
c8ine 12xlarge=75000 2xlarge=12500 4xlarge=25000 8xlarge=50000 large=3125 xlarge=6250
c9g 12xlarge=25000 16xlarge=34000 24xlarge=50000 2xlarge=4250 48xlarge=100000 4xlarge=8500 8xlarge=17000 large=1000 medium=550 metal-48xl=100000 xlarge=2100
c9gd 12xlarge=25000 16xlarge=34000 24xlarge=50000 2xlarge=4250 48xlarge=100000 4xlarge=8500 8xlarge=17000 large=1000 medium=550 metal-48xl=100000 xlarge=2100
d2 8xlarge=10000
d3 2xlarge=6000 4xlarge=12500 8xlarge=25000 xlarge=3000
d3en 12xlarge=75000 2xlarge=12500 4xlarge=25000 6xlarge=40000 8xlarge=50000 xlarge=6000
dl1 24xlarge=400000
dl2q 24xlarge=100000
f2 12xlarge=25000 48xlarge=100000 6xlarge=12500
g3 16xlarge=25000 4xlarge=5000 8xlarge=10000
g4ad 16xlarge=25000 2xlarge=4167 4xlarge=8333 8xlarge=15000 xlarge=2000
g4dn 12xlarge=50000 16xlarge=50000 2xlarge=10000 4xlarge=20000 8xlarge=50000 metal=100000 xlarge=5000
g5 12xlarge=40000 16xlarge=25000 24xlarge=50000 2xlarge=5000 48xlarge=100000 4xlarge=10000 8xlarge=25000 xlarge=2500
g5g 16xlarge=25000 2xlarge=2500 4xlarge=5000 8xlarge=12000 metal=25000 xlarge=1250
g6 12xlarge=40000 16xlarge=25000 24xlarge=50000 2xlarge=5000 48xlarge=100000 4xlarge=10000 8xlarge=25000 xlarge=2500
g6e 12xlarge=100000 16xlarge=35000 24xlarge=200000 2xlarge=5000 48xlarge=400000 4xlarge=20000 8xlarge=25000 xlarge=2500
g6f 2xlarge=5000 4xlarge=10000 large=1500 xlarge=2500
g7 12xlarge=175000 24xlarge=350000 2xlarge=40000 48xlarge=700000 4xlarge=80000 8xlarge=100000
g7e 12xlarge=400000 24xlarge=800000 2xlarge=50000 48xlarge=1600000 4xlarge=50000 8xlarge=100000
gr6 4xlarge=10000 8xlarge=25000
gr6f 4xlarge=10000
h1 16xlarge=25000 2xlarge=2500 4xlarge=5000 8xlarge=10000
hpc6a 48xlarge=100000
hpc6id 32xlarge=200000
hpc7a 12xlarge=300000 24xlarge=300000 48xlarge=300000 96xlarge=300000
hpc7g 16xlarge=200000 4xlarge=200000 8xlarge=200000
hpc8a 96xlarge=300000
i2 8xlarge=10000
i3 16xlarge=25000 2xlarge=2500 4xlarge=5000 8xlarge=10000 large=750 metal=25000 xlarge=1250
i3en 12xlarge=50000 24xlarge=100000 2xlarge=8400 3xlarge=12500 6xlarge=25000 large=2100 metal=100000 xlarge=4200
i4g 16xlarge=37500 2xlarge=4687 4xlarge=9375 8xlarge=18750 large=781 xlarge=1875
i4i 12xlarge=28120 16xlarge=37500 24xlarge=56250 2xlarge=4687 32xlarge=75000 4xlarge=9375 8xlarge=18750 large=781 metal=75000 xlarge=1875
i7i 12xlarge=28120 16xlarge=37500 24xlarge=56250 2xlarge=4687 48xlarge=100000 4xlarge=9375 8xlarge=25000 large=1171 metal-24xl=56250 metal-48xl=100000 xlarge=2343
i7ie 12xlarge=25000 18xlarge=37500 24xlarge=50000 2xlarge=8333 3xlarge=12500 48xlarge=100000 6xlarge=12500 large=2083 metal-24xl=50000 metal-48xl=100000 xlarge=4166
i8g 12xlarge=28120 16xlarge=37500 24xlarge=56250 2xlarge=4688 48xlarge=100000 4xlarge=9375 8xlarge=25000 large=1172 metal-24xl=56250 metal-48xl=90000 xlarge=2344
i8ge 12xlarge=75000 18xlarge=112500 24xlarge=150000 2xlarge=8400 3xlarge=12500 48xlarge=180000 6xlarge=37500 large=2100 metal-24xl=150000 metal-48xl=180000 xlarge=4200
im4gn 16xlarge=100000 2xlarge=12500 4xlarge=25000 8xlarge=50000 large=3125 xlarge=6250
inf1 24xlarge=100000 2xlarge=5000 6xlarge=25000 xlarge=5000
inf2 24xlarge=50000 48xlarge=100000 8xlarge=16667 xlarge=2083
is4gen 2xlarge=12500 4xlarge=25000 8xlarge=50000 large=3125 medium=1562 xlarge=6250
m4 10xlarge=10000 16xlarge=25000
m5 12xlarge=12000 16xlarge=20000 24xlarge=25000 2xlarge=2500 4xlarge=5000 8xlarge=10000 large=750 metal=25000 xlarge=1250
m5a 12xlarge=10000 16xlarge=12000 24xlarge=20000 2xlarge=2500 4xlarge=5000 8xlarge=7500 large=750 xlarge=1250
m5ad 12xlarge=10000 16xlarge=12000 24xlarge=20000 2xlarge=2500 4xlarge=5000 8xlarge=7500 large=750 xlarge=1250
m5d 12xlarge=12000 16xlarge=20000 24xlarge=25000 2xlarge=2500 4xlarge=5000 8xlarge=10000 large=750 metal=25000 xlarge=1250
m5dn 12xlarge=50000 16xlarge=75000 24xlarge=100000 2xlarge=8125 4xlarge=16250 8xlarge=25000 large=2100 metal=100000 xlarge=4100
m5n 12xlarge=50000 16xlarge=75000 24xlarge=100000 2xlarge=8125 4xlarge=16250 8xlarge=25000 large=2100 metal=100000 xlarge=4100
m5zn 12xlarge=100000 2xlarge=10000 3xlarge=15000 6xlarge=50000 large=3000 metal=100000 xlarge=5000
m6a 12xlarge=18750 16xlarge=25000 24xlarge=37500 2xlarge=3125 32xlarge=50000 48xlarge=50000 4xlarge=6250 8xlarge=12500 large=781 metal=50000 xlarge=1562
m6g 12xlarge=20000 16xlarge=25000 2xlarge=2500 4xlarge=5000 8xlarge=12000 large=750 medium=500 metal=25000 xlarge=1250
m6gd 12xlarge=20000 16xlarge=25000 2xlarge=2500 4xlarge=5000 8xlarge=12000 large=750 medium=500 metal=25000 xlarge=1250
m6i 12xlarge=18750 16xlarge=25000 24xlarge=37500 2xlarge=3125 32xlarge=50000 4xlarge=6250 8xlarge=12500 large=781 metal=50000 xlarge=1562
m6id 12xlarge=18750 16xlarge=25000 24xlarge=37500 2xlarge=3125 32xlarge=50000 4xlarge=6250 8xlarge=12500 large=781 metal=50000 xlarge=1562
m6idn 12xlarge=75000 16xlarge=100000 24xlarge=150000 2xlarge=12500 32xlarge=200000 4xlarge=25000 8xlarge=50000 large=3125 metal=200000 xlarge=6250
m6in 12xlarge=75000 16xlarge=100000 24xlarge=150000 2xlarge=12500 32xlarge=200000 4xlarge=25000 8xlarge=50000 large=3125 metal=200000 xlarge=6250
m7a 12xlarge=18750 16xlarge=25000 24xlarge=37500 2xlarge=3125 32xlarge=50000 48xlarge=50000 4xlarge=6250 8xlarge=12500 large=781 medium=390 metal-48xl=50000 xlarge=1562
m7g 12xlarge=22500 16xlarge=30000 2xlarge=3750 4xlarge=7500 8xlarge=15000 large=937 medium=520 metal=30000 xlarge=1876
m7gd 12xlarge=22500 16xlarge=30000 2xlarge=3750 4xlarge=7500 8xlarge=15000 large=937 medium=520 metal=30000 xlarge=1876
m7i-flex 12xlarge=9375 16xlarge=12500 2xlarge=1562 4xlarge=3125 8xlarge=6250 large=390 xlarge=781
m7i 12xlarge=18750 16xlarge=25000 24xlarge=37500 2xlarge=3125 48xlarge=50000 4xlarge=6250 8xlarge=12500 large=781 metal-24xl=37500 metal-48xl=50000 xlarge=1562
m8a 12xlarge=22500 16xlarge=30000 24xlarge=40000 2xlarge=3750 48xlarge=75000 4xlarge=7500 8xlarge=15000 large=937 medium=520 metal-24xl=40000 metal-48xl=75000 xlarge=1875
m8azn 12xlarge=100000 24xlarge=200000 3xlarge=25000 6xlarge=50000 large=4170 medium=2080 metal-12xl=100000 metal-24xl=200000 xlarge=8330
m8g 12xlarge=22500 16xlarge=30000 24xlarge=40000 2xlarge=3750 48xlarge=50000 4xlarge=7500 8xlarge=15000 large=937 medium=520 metal-24xl=40000 metal-48xl=50000 xlarge=1875
m8gb 12xlarge=100000 16xlarge=133330 24xlarge=200000 2xlarge=16666 48xlarge=400000 4xlarge=33330 8xlarge=66660 large=4166 medium=2083 metal-24xl=200000 metal-48xl=400000 xlarge=8333
m8gd 12xlarge=22500 16xlarge=30000 24xlarge=40000 2xlarge=3750 48xlarge=50000 4xlarge=7500 8xlarge=15000 large=937 medium=520 metal-24xl=40000 metal-48xl=50000 xlarge=1875
m8gn 12xlarge=150000 16xlarge=200000 24xlarge=300000 2xlarge=25000 48xlarge=600000 4xlarge=50000 8xlarge=100000 large=6250 medium=3125 metal-24xl=300000 metal-48xl=600000 xlarge=12500
m8i-flex 12xlarge=11250 16xlarge=15000 2xlarge=1875 4xlarge=3750 8xlarge=7500 large=468 xlarge=937
m8i 12xlarge=22500 16xlarge=30000 24xlarge=40000 2xlarge=3750 32xlarge=50000 48xlarge=75000 4xlarge=7500 8xlarge=15000 96xlarge=100000 large=937 metal-48xl=75000 metal-96xl=100000 xlarge=1875
m8ib 12xlarge=50000 16xlarge=66660 24xlarge=100000 2xlarge=8333 32xlarge=133330 48xlarge=200000 4xlarge=16666 8xlarge=33330 96xlarge=400000 large=2083 metal-48xl=200000 metal-96xl=400000 xlarge=4166
m8id 12xlarge=22500 16xlarge=30000 24xlarge=40000 2xlarge=3750 32xlarge=50000 48xlarge=75000 4xlarge=7500 8xlarge=15000 96xlarge=100000 large=937 metal-48xl=75000 metal-96xl=100000 xlarge=1875
m8idb 12xlarge=50000 16xlarge=66660 24xlarge=100000 2xlarge=8333 32xlarge=133330 48xlarge=200000 4xlarge=16666 8xlarge=33330 96xlarge=400000 large=2083 metal-48xl=200000 metal-96xl=400000 xlarge=4166
m8idn 12xlarge=75000 16xlarge=100000 24xlarge=150000 2xlarge=12500 32xlarge=200000 48xlarge=300000 4xlarge=25000 8xlarge=50000 96xlarge=600000 large=3125 metal-48xl=300000 metal-96xl=600000 xlarge=6250
m8in 12xlarge=75000 16xlarge=100000 24xlarge=150000 2xlarge=12500 32xlarge=200000 48xlarge=300000 4xlarge=25000 8xlarge=50000 96xlarge=600000 large=3125 metal-48xl=300000 metal-96xl=600000 xlarge=6250
m8ine 12xlarge=75000 2xlarge=12500 4xlarge=25000 8xlarge=50000 large=3125 xlarge=6250
m9g 12xlarge=25000 16xlarge=34000 24xlarge=50000 2xlarge=4250 48xlarge=100000 4xlarge=8500 8xlarge=17000 large=1000 medium=550 metal-48xl=100000 xlarge=2100
m9gd 12xlarge=25000 16xlarge=34000 24xlarge=50000 2xlarge=4250 48xlarge=100000 4xlarge=8500 8xlarge=17000 large=1000 medium=550 metal-48xl=100000 xlarge=2100
mac-m3ultra metal=10000
mac-m4 metal=10000
mac-m4max metal=10000
mac-m4pro metal=10000
mac1 metal=25000
mac2-m1ultra metal=10000
mac2-m2 metal=10000
mac2-m2pro metal=10000
mac2 metal=10000
p3 16xlarge=25000 2xlarge=2500 8xlarge=10000
p3dn 24xlarge=100000
p4d 24xlarge=400000
p4de 24xlarge=400000
p5 48xlarge=3200000 4xlarge=100000
p5e 48xlarge=3200000
p5en 48xlarge=3200000
p6-b200 48xlarge=3200000
p6-b300 48xlarge=6400000
p6e-gb200 36xlarge=3200000
r3 8xlarge=10000
r4 16xlarge=25000 2xlarge=2500 4xlarge=5000 8xlarge=10000 large=750 xlarge=1250
r5 12xlarge=12000 16xlarge=20000 24xlarge=25000 2xlarge=2500 4xlarge=5000 8xlarge=10000 large=750 metal=25000 xlarge=1250
r5a 12xlarge=10000 16xlarge=12000 24xlarge=20000 2xlarge=2500 4xlarge=5000 8xlarge=7500 large=750 xlarge=1250
r5ad 12xlarge=10000 16xlarge=12000 24xlarge=20000 2xlarge=2500 4xlarge=5000 8xlarge=7500 large=750 xlarge=1250
r5b 12xlarge=12000 16xlarge=20000 24xlarge=25000 2xlarge=2500 4xlarge=5000 8xlarge=10000 large=750 metal=25000 xlarge=1250
r5d 12xlarge=12000 16xlarge=20000 24xlarge=25000 2xlarge=2500 4xlarge=5000 8xlarge=10000 large=750 metal=25000 xlarge=1250
r5dn 12xlarge=50000 16xlarge=75000 24xlarge=100000 2xlarge=8125 4xlarge=16250 8xlarge=25000 large=2100 metal=100000 xlarge=4100
r5n 12xlarge=50000 16xlarge=75000 24xlarge=100000 2xlarge=8125 4xlarge=16250 8xlarge=25000 large=2100 metal=100000 xlarge=4100
r6a 12xlarge=18750 16xlarge=25000 24xlarge=37500 2xlarge=3125 32xlarge=50000 48xlarge=50000 4xlarge=6250 8xlarge=12500 large=781 metal=50000 xlarge=1562
r6g 12xlarge=20000 16xlarge=25000 2xlarge=2500 4xlarge=5000 8xlarge=12000 large=750 medium=500 metal=25000 xlarge=1250
r6gd 12xlarge=20000 16xlarge=25000 2xlarge=2500 4xlarge=5000 8xlarge=12000 large=750 medium=500 metal=25000 xlarge=1250
r6i 12xlarge=18750 16xlarge=25000 24xlarge=37500 2xlarge=3125 32xlarge=50000 4xlarge=6250 8xlarge=12500 large=781 metal=50000 xlarge=1562
r6id 12xlarge=18750 16xlarge=25000 24xlarge=37500 2xlarge=3125 32xlarge=50000 4xlarge=6250 8xlarge=12500 large=781 metal=50000 xlarge=1562
r6idn 12xlarge=75000 16xlarge=100000 24xlarge=150000 2xlarge=12500 32xlarge=200000 4xlarge=25000 8xlarge=50000 large=3125 metal=200000 xlarge=6250
r6in 12xlarge=75000 16xlarge=100000 24xlarge=150000 2xlarge=12500 32xlarge=200000 4xlarge=25000 8xlarge=50000 large=3125 metal=200000 xlarge=6250
r7a 12xlarge=18750 16xlarge=25000 24xlarge=37500 2xlarge=3125 32xlarge=50000 48xlarge=50000 4xlarge=6250 8xlarge=12500 large=781 medium=390 metal-48xl=50000 xlarge=1562
r7g 12xlarge=22500 16xlarge=30000 2xlarge=3750 4xlarge=7500 8xlarge=15000 large=937 medium=520 metal=30000 xlarge=1876
r7gd 12xlarge=22500 16xlarge=30000 2xlarge=3750 4xlarge=7500 8xlarge=15000 large=937 medium=520 metal=30000 xlarge=1876
r7i 12xlarge=18750 16xlarge=25000 24xlarge=37500 2xlarge=3125 48xlarge=50000 4xlarge=6250 8xlarge=12500 large=781 metal-24xl=37500 metal-48xl=50000 xlarge=1562
r7iz 12xlarge=25000 16xlarge=25000 2xlarge=3125 32xlarge=50000 4xlarge=6250 8xlarge=12500 large=781 metal-16xl=25000 metal-32xl=50000 xlarge=1562
r8a 12xlarge=22500 16xlarge=30000 24xlarge=40000 2xlarge=3750 48xlarge=75000 4xlarge=7500 8xlarge=15000 large=937 medium=520 metal-24xl=40000 metal-48xl=75000 xlarge=1875
r8g 12xlarge=22500 16xlarge=30000 24xlarge=40000 2xlarge=3750 48xlarge=50000 4xlarge=7500 8xlarge=15000 large=937 medium=520 metal-24xl=40000 metal-48xl=50000 xlarge=1875
r8gb 12xlarge=100000 16xlarge=133330 24xlarge=200000 2xlarge=16666 48xlarge=400000 4xlarge=33330 8xlarge=66660 large=4166 medium=2083 metal-24xl=200000 metal-48xl=400000 xlarge=8333
r8gd 12xlarge=22500 16xlarge=30000 24xlarge=40000 2xlarge=3750 48xlarge=50000 4xlarge=7500 8xlarge=15000 large=937 medium=520 metal-24xl=40000 metal-48xl=50000 xlarge=1875
r8gn 12xlarge=150000 16xlarge=200000 24xlarge=300000 2xlarge=25000 48xlarge=600000 4xlarge=50000 8xlarge=100000 large=6250 medium=3125 metal-24xl=300000 metal-48xl=600000 xlarge=12500
r8i-flex 12xlarge=11250 16xlarge=15000 2xlarge=1875 4xlarge=3750 8xlarge=7500 large=468 xlarge=937
r8i 12xlarge=22500 16xlarge=30000 24xlarge=40000 2xlarge=3750 32xlarge=50000 48xlarge=75000 4xlarge=7500 8xlarge=15000 96xlarge=100000 large=937 metal-48xl=75000 metal-96xl=100000 xlarge=1875
r8ib 12xlarge=50000 16xlarge=66660 24xlarge=100000 2xlarge=8333 32xlarge=133330 48xlarge=200000 4xlarge=16666 8xlarge=33330 96xlarge=400000 large=2083 metal-48xl=200000 metal-96xl=400000 xlarge=4166
r8id 12xlarge=22500 16xlarge=30000 24xlarge=40000 2xlarge=3750 32xlarge=50000 48xlarge=75000 4xlarge=7500 8xlarge=15000 96xlarge=100000 large=937 metal-48xl=75000 metal-96xl=100000 xlarge=1875
r8idb 12xlarge=50000 16xlarge=66660 24xlarge=100000 2xlarge=8333 32xlarge=133330 48xlarge=200000 4xlarge=16666 8xlarge=33330 96xlarge=400000 large=2083 metal-48xl=200000 metal-96xl=400000 xlarge=4166
r8idn 12xlarge=75000 16xlarge=100000 24xlarge=150000 2xlarge=12500 32xlarge=200000 48xlarge=300000 4xlarge=25000 8xlarge=50000 96xlarge=600000 large=3125 metal-48xl=300000 metal-96xl=600000 xlarge=6250
r8in 12xlarge=75000 16xlarge=100000 24xlarge=150000 2xlarge=12500 32xlarge=200000 48xlarge=300000 4xlarge=25000 8xlarge=50000 96xlarge=600000 large=3125 metal-48xl=300000 metal-96xl=600000 xlarge=6250
t3 2xlarge=2048 large=512 medium=256 micro=64 nano=32 small=128 xlarge=1024
t3a 2xlarge=2048 large=512 medium=256 micro=64 nano=32 small=128 xlarge=1024
t4g 2xlarge=2048 large=512 medium=256 micro=64 nano=32 small=128 xlarge=1024
trn1 2xlarge=3125 32xlarge=800000
trn1n 32xlarge=1600000
trn2 3xlarge=200000 48xlarge=3200000
trn2u 48xlarge=3200000
u-12tb1 112xlarge=100000 metal=100000
u-18tb1 112xlarge=100000 metal=100000
u-24tb1 112xlarge=100000 metal=100000
u-3tb1 56xlarge=50000
u-6tb1 112xlarge=100000 56xlarge=100000 metal=100000
u-9tb1 112xlarge=100000 metal=100000
u7i-12tb 224xlarge=100000
u7i-6tb 112xlarge=100000
u7i-8tb 112xlarge=100000
u7in-16tb 224xlarge=200000
u7in-24tb 224xlarge=200000
u7in-32tb 224xlarge=200000
u7inh-32tb 480xlarge=200000
vt1 24xlarge=25000 3xlarge=3120 6xlarge=6250
x1 16xlarge=10000 32xlarge=25000
x1e 16xlarge=10000 2xlarge=1250 32xlarge=25000 4xlarge=2500 8xlarge=5000 xlarge=625
x2gd 12xlarge=20000 16xlarge=25000 2xlarge=2500 4xlarge=5000 8xlarge=12000 large=750 medium=500 metal=25000 xlarge=1250
x2idn 16xlarge=50000 24xlarge=75000 32xlarge=100000 metal=100000
x2iedn 16xlarge=50000 24xlarge=75000 2xlarge=5000 32xlarge=100000 4xlarge=12500 8xlarge=25000 metal=100000 xlarge=1875
x2iezn 12xlarge=100000 2xlarge=12500 4xlarge=15000 6xlarge=50000 8xlarge=75000 metal=100000
x8aedz 12xlarge=37500 24xlarge=75000 3xlarge=9375 6xlarge=18750 large=1562 metal-12xl=37500 metal-24xl=75000 xlarge=3125
x8g 12xlarge=22500 16xlarge=30000 24xlarge=40000 2xlarge=3750 48xlarge=50000 4xlarge=7500 8xlarge=15000 large=937 medium=520 metal-24xl=40000 metal-48xl=50000 xlarge=1875
x8i 12xlarge=22500 16xlarge=30000 24xlarge=40000 2xlarge=3750 32xlarge=50000 48xlarge=75000 4xlarge=7500 64xlarge=80000 8xlarge=15000 96xlarge=100000 large=937 metal-48xl=75000 metal-96xl=100000 xlarge=1875
z1d 12xlarge=25000 2xlarge=2500 3xlarge=5000 6xlarge=12000 large=750 metal=25000 xlarge=1250
`
