print('later')
